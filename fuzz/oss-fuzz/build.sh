#!/bin/bash -eu
# Builds every target, and packs its kept corpus as the seed corpus.

cd "$SRC/evenstride"
cargo fuzz build -O --debug-assertions

for shell in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$shell" .rs)
  cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
  inputs=$(mktemp -d)
  tar -xzf "fuzz/corpora/$target.tar.gz" -C "$inputs"
  (cd "$inputs/$target" && zip -qr "$OUT/${target}_seed_corpus.zip" .)
  rm -r "$inputs"
  printf '[libfuzzer]\nrss_limit_mb = 2048\ntimeout = 20\n' > "$OUT/$target.options"
done
