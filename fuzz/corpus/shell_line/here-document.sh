cat <<EOF | sh
cargo build
EOF
set -e; ! ruff check . &