import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node from plain jars, on loopback, for tests only.
 *
 * <p>Arguments: its number, HTTP port, transport port, every node's transport port (with commas), its folder. It lives as long as its
 * standard input is open: when the program that started it ends, however it ends, the node ends and takes its folder along.
 */
public final class TestNode {
  private static final String LOG =
      "status=error\nappender.c.type=Console\nappender.c.name=c\nappender.c.layout.type=PatternLayout\n"
          + "appender.c.layout.pattern=[%d][%p][%c{1.}] %m%n\nrootLogger.level=warn\nrootLogger.appenderRef.c.ref=c\n";

  private static final class Plain extends Node {
    Plain(Environment environment, Collection<Class<? extends Plugin>> plugins) {
      super(environment, plugins, false);
    }

    @Override
    protected void configureNodeAndClusterIdStateListener(ClusterService service) {
      // the base class writes these ids into log lines of a layout that we do not have
    }
  }

  private static Settings settings(String[] arguments, Path home) {
    String seeds = Arrays.stream(arguments[3].split(",")).map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    int nodes = seeds.split(",").length;
    String[] names = Stream.iterate(0, n -> n + 1).limit(nodes).map(n -> "n" + n).toArray(String[]::new);
    return Settings.builder()
        .put("path.home", home.toString())
        .put("path.data", home.resolve("data").toString())
        .put("cluster.name", "awf-test")
        .put("node.name", "n" + arguments[0])
        .put("network.host", "127.0.0.1")
        .put("http.port", arguments[1])
        .put("transport.port", arguments[2])
        .putList("discovery.seed_hosts", seeds.split(","))
        .putList("cluster.initial_cluster_manager_nodes", names)
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .put("node.store.allow_mmap", false)
        .put("node.processors", 2)
        .build();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Paths.get(arguments[4]).toAbsolutePath();
    Files.createDirectories(home.resolve("config"));
    Files.createDirectories(home.resolve("logs"));
    Files.writeString(home.resolve("config/log4j2.properties"), LOG);
    String name = "n" + arguments[0];
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings(arguments, home), Map.of(), home.resolve("config"), () -> name);
    LogConfigurator.configure(environment);
    Node node = new Plain(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class));
    node.start();
    while (System.in.read() >= 0) {
      continue;
    }
    node.close();
    delete(home);
    System.exit(0);
  }
}
