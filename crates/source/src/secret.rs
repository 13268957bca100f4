//! Files that are neither indexed nor shown, recognised by their path alone. `SECURITY.md` promises the rules to users.
//!
//! A path may be absolute: the directories above a workspace count, so that opening `.docker` as a workspace does not
//! show its `config.json`. Comparison ignores case, since most file systems of macOS and Windows do.

use std::borrow::Cow;

/// Files that are secret wherever they are.
const NAMES: &[&str] = &[
    ".authinfo",
    ".boto",
    ".databrickscfg",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".hgrc",
    ".htdigest",
    ".htpasswd",
    ".my.cnf",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".passwd-s3fs",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".secrets",
    ".terraformrc",
    ".vault-token",
    ".yarnrc.yml",
    "_netrc",
    "application_default_credentials.json",
    "kaggle.json",
    "pgpass.conf",
    "rclone.conf",
    "service-account-key.json",
    "service-account.json",
    "service_account.json",
    "service_account_key.json",
    "serviceaccountkey.json",
    "terraform.rc",
];

/// Ends of names: private keys and certificates, key stores, Terraform's state and variables, environments.
const ENDINGS: &[&str] = &[
    ".bks",
    ".env",
    ".jks",
    ".kdbx",
    ".key",
    ".keystore",
    ".ovpn",
    ".p12",
    ".p8",
    ".pem",
    ".pfx",
    ".pkcs12",
    ".ppk",
    ".tfstate",
    ".tfvars",
    ".tfvars.json",
];

/// Private keys as OpenSSH names them, also with something after the name: `id_rsa.bak`.
const SSH_KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];

/// Files whose names are ordinary elsewhere: the end of a path, in whole components.
const PLACES: &[&str] = &[
    ".aws/config",
    ".azure/accesstokens.json",
    ".azure/msal_token_cache.bin",
    ".azure/msal_token_cache.json",
    ".bundle/config",
    ".codex/auth.json",
    ".composer/auth.json",
    ".config/doctl/config.yaml",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".config/pip/pip.conf",
    ".config/sops/age/keys.txt",
    ".docker/config.json",
    ".gradle/gradle.properties",
    ".m2/settings-security.xml",
    ".m2/settings.xml",
    ".oci/config",
    ".pip/pip.conf",
    ".snowsql/config",
    ".streamlit/secrets.toml",
    "containers/auth.json",
];

/// Directories in which every file is secret.
const DIRS: &[&str] = &[
    ".aws/cli/cache",
    ".aws/sso",
    ".config/gcloud",
    ".gnupg",
    ".password-store",
    ".ssh",
    ".subversion/auth",
];

/// Ends of templates, which hold no values, and of public keys.
const SHOWN_ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".pub"];

/// Extensions of programs: code that deals with credentials holds none.
const CODE: &[&str] = &[
    "c", "cc", "cpp", "cs", "dart", "ex", "exs", "go", "h", "hpp", "hs", "java", "js", "jsx", "kt", "m", "mm", "php",
    "pl", "py", "rb", "rs", "scala", "swift", "ts", "tsx", "vue",
];

/// Whether a file usually holds credentials.
pub fn is_secret_path(path: &str) -> bool {
    let path = normalized(path);
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if is_template(name) {
        return false;
    }
    is_secret_name(name)
        || PLACES.iter().any(|place| ends_with_components(&path, place))
        || (ends_with_components(dir, ".kube") && name.starts_with("config"))
        || DIRS.iter().any(|secret| contains_components(dir, secret))
}

/// Whether a file belongs to a version control system: its configuration may hold passwords, its objects any text that
/// was ever committed.
pub fn is_version_control_path(path: &str) -> bool {
    let path = normalized(path);
    // `git~1` is the short name of `.git` on Windows.
    let is_own = |component: &str| matches!(component, ".git" | "git~1" | ".jj" | ".hg" | ".svn" | ".bzr");
    path.split('/').any(is_own)
}

/// The path as file systems compare it: without case, and without what Windows ignores at the end of a name (dots,
/// spaces, the name of a stream).
fn normalized(path: &str) -> String {
    let folded: Cow<'_, str> = match path.is_ascii() {
        true => path.into(),
        // Some letters outside of ASCII equal one inside when case is ignored, such as the Kelvin sign.
        false => path.to_uppercase().into(),
    };
    let mut folded = folded.to_lowercase();
    if folded.contains(':') || folded.contains("./") || folded.contains(" /") || folded.ends_with(['.', ' ']) {
        let plain = |component: &str| match component.split_once(':') {
            Some((name, _stream)) => name.trim_end_matches(['.', ' ']).to_owned(),
            None => component.trim_end_matches(['.', ' ']).to_owned(),
        };
        folded = folded.split('/').map(plain).collect::<Vec<_>>().join("/");
    }
    folded
}

fn is_template(name: &str) -> bool {
    if SHOWN_ENDINGS.iter().any(|end| name.ends_with(end)) {
        return true;
    }
    // `example.key` may be the key of a domain; `example.env` is a template.
    let has_values = [".env", ".tfvars", ".tfvars.json"]
        .iter()
        .any(|end| name.ends_with(end));
    has_values
        && name
            .split('.')
            .any(|word| matches!(word, "example" | "sample" | "template"))
}

fn is_secret_name(name: &str) -> bool {
    if NAMES.contains(&name) || ENDINGS.iter().any(|end| name.ends_with(end)) {
        return true;
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_code = CODE.contains(&extension);
    let after_env = name.strip_prefix(".env");
    let is_env = after_env.is_some_and(|rest| rest == "rc" || !rest.starts_with(|c: char| c.is_alphanumeric()));
    let after_credentials = name.strip_prefix('.').unwrap_or(name).strip_prefix("credentials");
    let is_credentials = after_credentials.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    is_env
        || (is_credentials && !is_code)
        || (SSH_KEYS.iter().any(|key| name.starts_with(key)) && !is_code)
        || is_kubeconfig(stem, extension)
        || is_kubeconfig(name, "")
        || name.contains(".tfstate.")
        || [".vault_pass", ".vault-pass"].iter().any(|start| name.starts_with(start))
        || (extension == "json" && ["client_secret", "gha-creds-"].iter().any(|start| name.starts_with(start)))
        // Of shells and database clients: what was typed, passwords among it.
        || (name.starts_with('.') && name.ends_with("_history"))
}

/// `kubeconfig`, `prod.kubeconfig`, `prod-kubeconfig.yaml`.
fn is_kubeconfig(stem: &str, extension: &str) -> bool {
    let before = stem.strip_suffix("kubeconfig");
    before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '-', '_']))
        && matches!(extension, "" | "yaml" | "yml" | "json" | "conf")
}

/// Whether the last components of a path are these.
fn ends_with_components(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Whether some components of a path that follow each other are these.
fn contains_components(path: &str, wanted: &str) -> bool {
    path.match_indices(wanted).any(|(at, _)| {
        let (before, after) = (&path[..at], &path[at + wanted.len()..]);
        (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_recognised_by_path() {
        for path in [
            ".env",
            "a/.env.local",
            ".env-prod",
            ".envrc",
            "docker/prod.env",
            "terraform.tfstate",
            "terraform.tfstate.1700000000.backup",
            "infra/prod.tfvars",
            "infra/prod.auto.tfvars.json",
            "server.PEM",
            "tls.key",
            "example.com.key",
            "AuthKey.p8",
            "release.keystore",
            "release.jks",
            "id_rsa",
            "id_ed25519.bak",
            "credentials.json",
            ".cargo/credentials.toml",
            ".cargo/credentials",
            ".gem/credentials",
            ".claude/.credentials.json",
            ".npmrc",
            ".netrc",
            ".yarnrc.yml",
            ".htpasswd",
            ".vault-token",
            ".vault_pass.txt",
            ".docker/config.json",
            "home/.Docker/Config.JSON",
            ".kube/config",
            ".kube/config-prod",
            "kubeconfig",
            "deploy/kubeconfig.yaml",
            "prod.kubeconfig",
            "prod-kubeconfig.yml",
            ".aws/config",
            ".aws/sso/cache/0a.json",
            ".config/gcloud/legacy/x/adc.json",
            ".config/gh/hosts.yml",
            ".m2/settings.xml",
            ".ssh/config",
            "backup/.ssh/work",
            ".gnupg/private-keys-v1.d/0.gpg",
            "client_secret_1.apps.json",
            ".bash_history",
            // As Windows reads them.
            "credentials.json.",
            "credentials.json::$DATA",
            ".docker./config.json",
            "tls.key ",
            // The Kelvin sign is a K, the long s an s.
            "tls.\u{212a}ey",
            ".\u{17f}sh/config",
        ] {
            assert!(is_secret_path(path), "{path}");
        }
        for path in [
            "env.rs",
            "a.env.rs",
            ".env.example",
            "example.env",
            "infra/example.tfvars",
            "infra/dev.tfvars.example",
            "infra/main.tf",
            "infra/variables.tf",
            ".envoy.yaml",
            "id_rsa.pub",
            ".ssh/id_rsa.pub",
            "keys.rs",
            "monkey",
            "id_map.c",
            "credentials_test.go",
            "Credentials.java",
            "credentials/mod.rs",
            "src/credentials.rs",
            "id_rsa.go",
            "config.json",
            "docker/config.json",
            ".docker/Dockerfile",
            ".docker/config.json.example",
            ".kube/deployment.yaml",
            "kube/config",
            "kubeconfig.go",
            "docs/kubeconfig.md",
            "templates/kubeconfig-secret.yaml",
            "settings.xml",
            "maven/settings.xml",
            ".aws/task-definition.json",
            ".azure/pipelines/ci.yml",
            ".cargo/config.toml",
            "gradle.properties",
            "locales/en/auth.json",
            ".yarnrc",
            "ssh/config",
            "my.ssh/config",
            ".sshx/config",
            "src/keystore.rs",
            "secrets.rs",
            "token.json",
            "git_history",
            "c:/x/main.rs",
        ] {
            assert!(!is_secret_path(path), "{path}");
        }
    }

    #[test]
    fn version_control_is_recognised_in_any_case() {
        for path in [
            ".git",
            ".git/config",
            "sub/.GIT/config",
            "git~1/config",
            ".git./config",
            ".hg/hgrc",
            ".svn/auth/x",
            ".jj/repo/store/git/config",
        ] {
            assert!(is_version_control_path(path), "{path}");
        }
        for path in [
            ".gitignore",
            ".github/workflows/ci.yml",
            "git/config",
            "a.git/config",
            ".hgignore",
            "git~10",
        ] {
            assert!(!is_version_control_path(path), "{path}");
        }
    }
}
