"""Vietnamese, folded: `đừng` and `dùng` are both `dung`, so phrases are anchored to the clause's beginning."""

from awf_archive.domain.trigger_patterns.shape import Patterns

PATTERNS = Patterns(
    language="vi",
    openers=r"ok|oke|okay|thoi|vay|the|u|uh|um|vang|da|duoc|roi|xong|minh|toi|tui|t|em|anh|chi|ban|"
    r"gio|bay gio|phai|can|ta|the thi|thi|oki|okie|okla|ok la|cu the|ma|viec|xong viec|toi roi|trua|chieu|"
    r"chac|xin|phep|xin phep|cu|chung ta|chung minh|chung toi|tui minh|team|nhom|nha|de|"
    r"hom nay|toi nay|a|e|cung|hoan toan|chao|met|met roi|met qua|buon ngu|buon ngu qua|"
    r"khuya roi|khuya qua|tre roi|den gio|trua roi",
    closers=r"nhe|nha|nhe em|nhe anh|di|day|da|luon|roi|thoi|nao|cai|chut|mot chut|xiu|lam|a|ah|em|"
    r"anh|ban|chi|do|moi nguoi|ca nha|cac ban|"
    r"nhen|nghe|hen|voi|ca|mai gap|het|ne|nua|truoc|ngu|ve|di ngu|di ve|tam|may|app|hom nay|"
    r"toi nay|minh ve|em ve|toi ve|anh ve|minh di|ra ve|nghi|nghi ngoi|bot|gium|giup|dum",
    joint=r"\s+",
    leaving=(
        r"(?:good ?)?bye+(?: bye+)?",
        r"tam biet(?: ca nha| moi nguoi)?",
        r"tam nghi(?: o day| tai day)?(?: may phut| \d+ phut)?",
        (
            r"(?:toi )?di (?:don con|hop|ra ngoai|hoc|cho|tam|nau com|tap|cong viec|uong (?:nuoc|cafe|"
            r"ca phe)|lam viec khac)"
        ),
        r"toi di(?: an| hop| ngu| ve| ra ngoai| day| don con| hoc| lam)?",
        r"(?:di|ra|tranh thu) an (?:com|trua|toi|sang)(?: cai| trua| toi)?",
        r"nghi (?:thoi|day|tay|ngoi|an trua|an com|trua|giai lao|ngoi chut)",
        r"het gio(?: lam)?(?: viec)?",
        r"(?:ngay )?mai (?:lam|tiep tuc|minh lam|lam viec) tiep",
        (
            r"(?:chieu|toi|sang)? ?mai (?:gap|tinh|noi|lam|xem|sua|code|viet|ban|noi chuyen|"
            r"quay lai)(?: lai| tiep| sau)?"
        ),
        r"(?:chuc )?ngu ngon(?: nhe)?|chuc (?:em|anh|ban|moi nguoi) ngu ngon",
        r"mai gap|hen (?:gap lai|mai)|gap lai sau",
        r"save(?: lai)?",
        r"dong (?:app|may|ung dung|phan mem)",
        r"tat (?:may|app|may tinh)",
        r"di (?:ngu|ve)(?: day| thoi)?",
        r"ve (?:thoi|day|nha)",
        r"off(?: may)?|out day|chuon(?: day)?|bien day|rut day",
        r"(?:hom nay |tam )?(?:dung|ket thuc) (?:o day|tai day|day)(?: thoi| nhe)?",
        r"(?:den|toi) day (?:thoi|nhe|la du)",
    ),
    leaving_open=(r"(?:ngay |sang |chieu )?mai lam tiep(?! cung| duoc)", r"di an com"),
    deciding=(
        (
            r"(?:nghe |thay |nhu )?(?:vay )?(?:dung|lay|chon) (?:cai|cach|ban|phien ban|"
            r"thu vien) (?:nay|do|kia)(?: cho .{1,30})?"
        ),
        r"dong y(?: (?:voi|ca|tat ca|het|cach|phuong an)\b.{0,60})?",
        r"lam (?:vay|the|nhu vay|nhu the|theo vay|di)",
        r"chot(?: (?:luon|vay|the|lai|don|nhu vay))?",
        (
            r"(?:cu )?the ma lam|(?:cu )?(?:lam|trien khai|tien hanh|theo) (?:theo )?(?:huong|cach|"
            r"phuong an) (?:nay|do|tren|dau|cuoi)"
        ),
        (
            r"(?:lay |theo |chon )?(?:phuong an|cach|option|lua chon) (?:so )?(?!nao\b|gi\b)(?:\w|\d+|"
            r"mot|hai|ba|dau tien|thu \w+|cuoi)"
        ),
        r"trien khai(?: luon| di)?",
        r"quyet dinh (?:vay|the|nhu vay|nhu the|xong)|duyet|nhat tri|tan thanh|chap nhan",
    ),
    deciding_open=(
        r"(?:chot )?(?:lay |chon )?(?:chon|chot|lay|theo) phuong an (?!nao\b)\S",
        r"lam theo (?:cach|phuong an|huong) (?!nao\b)\S",
        r"(?:da )?quyet dinh (?:la|dung|chon|se) (?!cua\b|gi\b|nao\b)\S",
        r"se dung (?!gi\b|nao\b|het\b|duoc\b|o\b|trong\b|toi\b)\S",
        r"thong nhat (?:la|dung|chon|theo|vay|nhu vay)\b",
        r"chot (?:la|dung|lai la|chon) \S",
    ),
    agreeing=(
        r"ok+|oke+|oki|okay|okie|okela",
        r"duoc|dc",
        r"vang|da|u|uh",
        r"hop ly|on|nghe on|hay do|tuyet|chuan",
    ),
    filler=(
        r"(?:cam on|thanks?|tks|thank you)\b.{0,30}",
        r"(?:nghe )?(?:on|hay|tot|hop ly|tuyet|ngon|gon)(?: qua| day| do| roi)*",
        r"gio .{0,15}(?:met|buon ngu).{0,10}|met qua|khuya|muon|co gi nhan sau|lat quay lai",
    ),
    asking=r"\b(?:gi|nao|sao|bao gio|bao nhieu|may gio|the nao|khong|ko|hong|chua|phai khong|"
    r"duoc khong|neu|co nen|"
    r"vi sao|tai sao|lam sao|hay la)\b(?! (?:them|can|co|dung|sua|lam|doi)\b)",
    when=r"(?:neu|khi|moi khi|luc|gia su|hay)\b",
    needs=r"[a-z]",
)
