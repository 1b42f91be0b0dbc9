use super::{Block, blocks};

#[test]
fn only_blocks_that_promise_to_run_are_run() {
    let markdown = "\
Text.

```sh
cargo install something
```

```sh run
ilk check --pairs pairs.csv
ilk methods
```

```python run
print(1)
```

```rust
fn main() {}
```
";
    let expected = [
        Block {
            language: "sh",
            line: 7,
            code: "ilk check --pairs pairs.csv\nilk methods".to_owned(),
        },
        Block { language: "python", line: 12, code: "print(1)".to_owned() },
    ];
    assert_eq!(blocks(markdown), expected);
}
