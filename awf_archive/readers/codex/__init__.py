"""Codex CLI's rollout files, plain or zstd, in all their vocabularies."""
