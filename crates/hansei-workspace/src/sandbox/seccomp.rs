//! System calls that no command of a project needs and that reach past the other walls: sockets of families that network
//! namespaces do not cover (a virtual machine's host, kernel cryptography), kernel keyrings, kernel programs, and
//! injecting input into a terminal.

use std::io::{Seek as _, Write as _};
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

/// Writing into a terminal's input, and reading its screen.
const TERMINAL_REQUESTS: &[u64] = &[0x5412, 0x541c];

/// The filter in a file of its own, as bubblewrap reads it.
pub(super) fn file() -> std::io::Result<OwnedFd> {
    let program = program().map_err(|error| std::io::Error::other(error.to_string()))?;
    let file = rustix::fs::memfd_create("filter", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(file);
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for step in program {
        bytes.extend(step.code.to_ne_bytes());
        bytes.extend([step.jt, step.jf]);
        bytes.extend(step.k.to_ne_bytes());
    }
    file.write_all(&bytes)?;
    file.rewind()?;
    Ok(file.into())
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
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter: Vec<sock_filter> =
        SeccompFilter::new(rules, SeccompAction::Allow, refused, machine)?.try_into()?;
    Ok(other_numbers().into_iter().chain(filter).collect())
}

/// On `x86_64` the same calls have a second set of numbers, which a filter of numbers does not see.
#[cfg(target_arch = "x86_64")]
fn other_numbers() -> Vec<sock_filter> {
    const LOAD_WORD: u16 = 0x20;
    const AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const ERRNO: u32 = 0x0005_0000;
    vec![
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: AT_LEAST, jt: 0, jf: 1, k: 0x4000_0000 },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: ERRNO | libc::ENOSYS.unsigned_abs() },
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn other_numbers() -> Vec<sock_filter> {
    Vec::new()
}
