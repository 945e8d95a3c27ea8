//! Links the program at a fixed address on Linux. A large position-independent program spends about a millisecond on
//! relocations each time it starts, and agents start the hook on every turn.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-bin=hansei=-no-pie");
    }
}
