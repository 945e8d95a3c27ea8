//! Keywords whose surroundings are read by hand-written code: secret words
//! in names, headers, key blocks, URLs, commands.

use super::login::Login;
use super::segment::Class;

/// What a word says about the name it heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// password, passwd, passphrase, passcode, pwd.
    Password,
    /// pass, pw: short, and part of many other words.
    Pass,
    /// secret.
    Secret,
    /// token, jwt, pat.
    Token,
    /// key: nothing without a word before it.
    Key,
    /// auth, cred, session: values must look random.
    Vague,
}

/// What to do at a keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Read an assignment to a name ending in this word.
    Word(Kind),
    /// Read a PEM-like block.
    Pem,
    /// Read a `PuTTY` key file.
    Putty,
    /// Read the user part of a URL.
    Url,
    /// Read the value of an `Authorization` header.
    Authorization,
    /// Read what follows `Bearer`, `Basic` and the like.
    Scheme,
    /// Read a cookie header.
    Cookie,
    /// Read a password flag of a command, by its place in `command::COMMANDS`.
    Command(u8),
    /// Read a Kubernetes `Secret`.
    Kubernetes,
    /// Read a `.pgpass` line.
    PgPass,
    /// Read a quoted SQL password.
    Sql,
    /// Read a seed phrase.
    Phrase,
    /// Read a JSON web key.
    Jwk,
    /// Read an XML RSA key.
    RsaXml,
    /// Read the arguments of a call.
    Call,
    /// Read what follows `SecureString`.
    SecureString,
    /// Read a query parameter of at least so many bytes.
    Parameter(u8),
    /// Read a path segment of a URL.
    Segment,
    /// Read a command that logs in or stores a secret.
    Login(Login),
    /// Read a `user:password` pair at the end of the line.
    Pair,
    /// Read the lone key before a comment that names it.
    Commented,
}

/// A keyword of any case.
#[derive(Clone, Copy)]
pub struct Special {
    /// The keyword, in lower case.
    pub word: &'static str,
    /// What may follow a keyword of three bytes.
    pub follow: Class,
    /// What to do there.
    pub act: Act,
}

const fn on(word: &'static str, act: Act) -> Special {
    Special { word, follow: Class(0), act }
}

const fn short(word: &'static str, follow: &str, act: Act) -> Special {
    Special { word, follow: Class::of(follow), act }
}

/// What may follow a short secret word: anything but most letters.
const AFTER: &str = " =:<\"'`])>,_.0-9s(*\\[-";

/// The keywords.
#[rustfmt::skip]
pub const SPECIAL: &[Special] = &[
    on("passw", Act::Word(Kind::Password)),
    on("passphrase", Act::Word(Kind::Password)),
    on("passcode", Act::Word(Kind::Password)),
    on("contrase", Act::Word(Kind::Password)),
    short("pwd", AFTER, Act::Word(Kind::Password)),
    on("pass", Act::Word(Kind::Pass)),
    short("_pw", AFTER, Act::Word(Kind::Pass)),
    short("pw=", "!-~ ", Act::Word(Kind::Pass)),
    short("pw:", "!-~ ", Act::Word(Kind::Pass)),
    short("pw\"", ": ", Act::Word(Kind::Pass)),
    short("pw ", "=:", Act::Word(Kind::Pass)),
    on("secret", Act::Word(Kind::Secret)),
    on("token", Act::Word(Kind::Token)),
    short("jwt", AFTER, Act::Word(Kind::Token)),
    short("pat", " =:\"'`]", Act::Word(Kind::Vague)),
    short("key", AFTER, Act::Word(Kind::Key)),
    on("auth", Act::Word(Kind::Vague)),
    on("cred", Act::Word(Kind::Vague)),
    on("bearer", Act::Word(Kind::Vague)),
    on("sessionid", Act::Word(Kind::Vague)),
    on("session_id", Act::Word(Kind::Vague)),
    on("session-id", Act::Word(Kind::Vague)),
    on("sessid", Act::Word(Kind::Vague)),
    on("session=", Act::Word(Kind::Vague)),
    on("salt", Act::Word(Kind::Vague)),
    on("webhook", Act::Word(Kind::Vague)),
    on("ng_cookie", Act::Word(Kind::Token)),
    on("ngcookie", Act::Word(Kind::Token)),
    short("psk", AFTER, Act::Word(Kind::Pass)),
    on("p_seed", Act::Word(Kind::Token)),
    on("pepper", Act::Word(Kind::Vague)),
    on("mmunity_string", Act::Word(Kind::Password)),
    on("indpw", Act::Word(Kind::Password)),
    on("ootpw", Act::Word(Kind::Password)),
    on("wachtwoord", Act::Word(Kind::Password)),
    on("senha", Act::Word(Kind::Password)),
    on("e passe", Act::Word(Kind::Password)),
    on("recovery code", Act::Word(Kind::Token)),
    on("login=", Act::Word(Kind::Vague)),
    on("bundle_", Act::Word(Kind::Vague)),
    on("bundle config ", Act::Pair),
    on("private key", Act::Commented),
    on("ogin(", Act::Call),
    on("auth(", Act::Call),
    on("uth=(", Act::Call),
    on("uth = (", Act::Call),
    on("cate(", Act::Call),
    on("tial(", Act::Call),
    on("ials(", Act::Call),
    on("tion(", Act::Call),
    on("nect(", Act::Call),
    on("sqli(", Act::Call),
    on(" pdo(", Act::Call),
    on("rnet(", Act::Call),
    on("totp(", Act::Call),
    on("t.run(", Act::Call),
    on("wilio(", Act::Call),
    on("ithub(", Act::Call),
    on("t.sign(", Act::Call),
    on("t.encode(", Act::Call),
    on("t.verify(", Act::Call),
    on("ehmac(", Act::Call),
    on("mac.new(", Act::Call),
    on("eriv(", Act::Call),
    on("handler(", Act::Call),
    on("lient(", Act::Call),
    on("egraf(", Act::Call),
    on("penai(", Act::Call),
    on("s_token(", Act::Call),
    on("t_token(", Act::Call),
    on("settoken(", Act::Call),
    on("t.decode(", Act::Call),
    on("lebot(", Act::Call),
    on("s.basic(", Act::Call),
    on("n_user(", Act::Call),
    on("securestring", Act::SecureString),
    on("?code=", Act::Parameter(16)),
    on("&code=", Act::Parameter(16)),
    on("?key=", Act::Parameter(10)),
    on("&key=", Act::Parameter(10)),
    on("?sig=", Act::Parameter(16)),
    on("&sig=", Act::Parameter(16)),
    on("signature=", Act::Parameter(20)),
    on("?hmac=", Act::Parameter(20)),
    on("&hmac=", Act::Parameter(20)),
    on("appid=", Act::Parameter(24)),
    on("hook/", Act::Segment),
    on("hooks/", Act::Segment),
    on("/key/", Act::Segment),
    on("/bot/v", Act::Segment),
    on("infura.io/v3/", Act::Segment),
    on("g.alchemy.com/v2/", Act::Segment),
    on("ankr.com/eth/", Act::Segment),
    on(" login ", Act::Login(Login::Random)),
    on(" auth ", Act::Login(Login::Random)),
    on(" authtoken ", Act::Login(Login::Random)),
    on("auth:token ", Act::Login(Login::Random)),
    on(" -t ", Act::Login(Login::Flag)),
    on(" -p ", Act::Login(Login::Password)),
    on(" /p:", Act::Login(Login::Password)),
    on("bw unlock ", Act::Login(Login::Last)),
    on("bw login ", Act::Login(Login::Last)),
    on("rclone obscure ", Act::Login(Login::Last)),
    on("nickserv identify ", Act::Login(Login::Last)),
    on("net user ", Act::Login(Login::Last)),
    on("ladmin -u root password ", Act::Login(Login::Last)),
    on("secret set ", Act::Login(Login::Store)),
    on("secret put ", Act::Login(Login::Store)),
    on("-stdin", Act::Login(Login::Store)),
    on("sqlplus ", Act::Login(Login::Database)),
    on("sqlldr ", Act::Login(Login::Database)),
    on("expdp ", Act::Login(Login::Database)),
    on("impdp ", Act::Login(Login::Database)),
    on("sterauth ", Act::Login(Login::Next)),
    on("snmp-server community ", Act::Login(Login::Next)),
    on("tacacs-server key ", Act::Login(Login::Next)),
    on("radius-server key ", Act::Login(Login::Next)),
    on("rootpw --plaintext ", Act::Login(Login::Next)),
    on("lftp ", Act::Command(16)),
    on("-----begin ", Act::Pem),
    on("---- begin ssh2", Act::Pem),
    on("putty-user-key-file-", Act::Putty),
    short("://", "!-~", Act::Url),
    on(":thin:", Act::Url),
    on("authorization", Act::Authorization),
    on("bearer ", Act::Scheme),
    on("basic ", Act::Scheme),
    on("cookie", Act::Cookie),
    on("curl ", Act::Command(0)),
    on("mysql", Act::Command(1)),
    on("mariadb", Act::Command(1)),
    on("sshpass", Act::Command(2)),
    on("redis-cli", Act::Command(3)),
    on(" login ", Act::Command(4)),
    on("mongo", Act::Command(5)),
    on("ldaps", Act::Command(6)),
    on("sqlcmd", Act::Command(7)),
    on("smbclient", Act::Command(8)),
    on("wget ", Act::Command(0)),
    on("7z a ", Act::Command(9)),
    on("7z x ", Act::Command(9)),
    on("zip -", Act::Command(10)),
    on("htpasswd", Act::Command(11)),
    on("net use ", Act::Command(12)),
    on("pass:", Act::Command(13)),
    on("http ", Act::Command(14)),
    on("chpasswd", Act::Command(15)),
    on("kind: secret", Act::Kubernetes),
    on("\"kind\":\"secret\"", Act::Kubernetes),
    on("\"kind\": \"secret\"", Act::Kubernetes),
    on(":5432:", Act::PgPass),
    on(":5433:", Act::PgPass),
    on(":6432:", Act::PgPass),
    on(":*:*:", Act::PgPass),
    on("identified by ", Act::Sql),
    on("identified with ", Act::Sql),
    on("mnemonic", Act::Phrase),
    on("seed phrase", Act::Phrase),
    on("seed_phrase", Act::Phrase),
    on("seedphrase", Act::Phrase),
    on("recovery phrase", Act::Phrase),
    on("recovery_phrase", Act::Phrase),
    on("\"kty\"", Act::Jwk),
    on("<rsakeyvalue>", Act::RsaXml),
];
