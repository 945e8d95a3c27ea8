//! System calls that no command of a project needs and that reach past the other walls: sockets of families that network
//! namespaces do not cover (a virtual machine's host, kernel cryptography), kernel keyrings, kernel programs, and
//! injecting input into a terminal.

use std::os::fd::OwnedFd;

use seccompiler::{
    SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition as Condition,
    SeccompFilter, SeccompRule as Rule, TargetArch, sock_filter,
};

/// Calls that are refused whatever their arguments.
const REFUSED: &[i64] = &[
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
];

/// The families of sockets that are let through; the network namespace holds these.
const FAMILIES: &[libc::c_int] = &[libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Calls that give a file its mode, and which argument that is.
const MODES: &[(i64, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (libc::SYS_fchmodat2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// Calls that may create a file: which arguments are the flags that say so, and the mode.
const CREATING: &[(i64, u8, u8)] = &[
    (libc::SYS_openat, 2, 3),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1, 2),
];

/// Writing into a terminal's input, and reading its screen.
const TERMINAL_REQUESTS: &[u64] = &[0x5412, 0x541c];

/// The filter in a file of its own, as bubblewrap reads it.
pub(super) fn file() -> std::io::Result<OwnedFd> {
    let program = program().map_err(|error| std::io::Error::other(error.to_string()))?;
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for step in program {
        bytes.extend(step.code.to_ne_bytes());
        bytes.extend([step.jt, step.jf]);
        bytes.extend(step.k.to_ne_bytes());
    }
    super::bubblewrap::in_memory(&bytes)
}

fn program() -> Result<Vec<sock_filter>, seccompiler::BackendError> {
    let mut rules: std::collections::BTreeMap<i64, Vec<Rule>> =
        REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let family = FAMILIES
        .iter()
        .map(|family| Condition::new(0, Length::Dword, Compare::Ne, family.unsigned_abs().into()))
        .collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_socket, vec![Rule::new(family)?]);
    let request = |number: &u64| Rule::new(vec![Condition::new(1, Length::Dword, Compare::Eq, *number)?]);
    rules.insert(libc::SYS_ioctl, TERMINAL_REQUESTS.iter().map(request).collect::<Result<_, _>>()?);
    for (call, mode) in MODES {
        rules.entry(*call).or_default().extend(borrowed_identity(*mode, &[])?);
    }
    for (call, flags, mode) in CREATING {
        for flag in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
            let flag = u64::from(flag.unsigned_abs());
            let creates = Condition::new(*flags, Length::Dword, Compare::MaskedEq(flag), flag)?;
            rules.entry(*call).or_default().extend(borrowed_identity(*mode, &[creates])?);
        }
    }
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter: Vec<sock_filter> =
        SeccompFilter::new(rules, SeccompAction::Allow, refused, machine)?.try_into()?;
    Ok(unseen().into_iter().chain(filter).collect())
}

/// Rules against a mode that makes a program run as the file's owner or group: such a file would outlive the sandbox, and
/// its owner is the user.
fn borrowed_identity(argument: u8, also: &[Condition]) -> Result<Vec<Rule>, seccompiler::BackendError> {
    [libc::S_ISUID, libc::S_ISGID]
        .into_iter()
        .map(|bit| {
            let bit = u64::from(bit);
            let mut conditions = also.to_vec();
            conditions.push(Condition::new(argument, Length::Dword, Compare::MaskedEq(bit), bit)?);
            Rule::new(conditions)
        })
        .collect()
}

/// Calls that a filter of arguments does not see: on `x86_64` every call has a second number, and `openat2` takes its mode
/// in memory. Programs take it for a kernel that does not have them.
fn unseen() -> Vec<sock_filter> {
    const LOAD_WORD: u16 = 0x20;
    const EQUAL: u16 = 0x15;
    const AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const ERRNO: u32 = 0x0005_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let openat2 = u32::try_from(libc::SYS_openat2).unwrap_or(u32::MAX);
    let second_numbers = if cfg!(target_arch = "x86_64") { 0x4000_0000 } else { u32::MAX };
    vec![
        step(LOAD_WORD, 0, 0, 0),
        step(EQUAL, 1, 0, openat2),
        step(AT_LEAST, 0, 1, second_numbers),
        step(RETURN, 0, 0, ERRNO | libc::ENOSYS.unsigned_abs()),
    ]
}
