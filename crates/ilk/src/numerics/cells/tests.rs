use super::Cells;

#[test]
fn rows_of_one_cell_share_its_number() {
    let mut cells = Cells::new(0.5);
    let numbers = [[-0.1], [3.0], [0.1], [2.9]].map(|row| cells.number(&row));
    assert_eq!(numbers, [0, 1, 0, 1]);
}

#[test]
fn rows_of_one_cell_and_tag_are_merged() {
    let rows = [0.1, 5.0, -0.1, 0.0];
    let tags = [1.0, 1.0, 1.0, 2.0];
    let merged = Cells::new(1.0).merge_rows(
        (&rows, 1),
        &[1.0, 1.0, 2.0, 1.0],
        |i| Some(tags[i]),
        |both| both.kept[0] = both.kept[0].min(both.row[0]),
    );
    assert_eq!(merged.rows, [-0.1, 5.0, 0.0]);
    assert_eq!(merged.weights, [3.0, 1.0, 1.0]);
    assert_eq!(merged.first, [0, 1, 3]);
    assert_eq!(merged.cell_of, [0, 1, 0, 2]);
}
