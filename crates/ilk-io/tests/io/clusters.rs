use ilk::outcome::ConstraintReport;
use ilk::problem::{ConstraintKind, Constraints};
use ilk_io::{Clusters, TableOptions, read_table, write_clusters};

use crate::{Folder, features};

fn written(clusters: &Clusters<'_>) -> String {
    let mut out = Vec::new();
    write_clusters(&mut out, clusters).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_broken_constraint_counts_for_each_of_its_points() {
    let ids = ["a", "b", "c", "d", "e,f"].map(str::to_owned);
    let labels = [Some(0), Some(1), Some(0), None, Some(1)];
    let mut constraints = Constraints::with_ids(&ids).unwrap();
    constraints.must_link(0, 1).unwrap();
    constraints.must_link(0, 2).unwrap();
    constraints.cannot_link(0, 2).unwrap();
    constraints.add(ConstraintKind::Closer, &[0, 1, 2], 1.0, None).unwrap();
    constraints.must_link(0, 3).unwrap();
    let report = ConstraintReport::new(&constraints, &labels);
    let text = written(&Clusters {
        ids: &ids,
        labels: &labels,
        confidence: None,
        constraints: Some((&constraints, &report)),
        keep: None,
    });
    // Broken: a-b apart, a-c together, a closer to b than to c, a-d apart.
    assert_eq!(
        text,
        "id,cluster,is_noise,is_constrained,violations\n\
         a,0,false,true,4\n\
         b,1,false,true,2\n\
         c,0,false,true,2\n\
         d,,true,true,1\n\
         \"e,f\",1,false,false,0\n"
    );
}

#[test]
fn kept_columns_follow_without_the_ids_and_without_a_name_twice() {
    let folder = Folder::new();
    let path = folder.file("data.csv", "x,id,cluster,note\n1,a,k1,\"so, so\"\n2,b,k2,\n");
    let options = TableOptions { keep: true, ..features(&["x"]) };
    let table = read_table(path, &options).unwrap();
    let columns = table.columns.as_ref().unwrap();
    let text = written(&Clusters {
        ids: &table.ids,
        labels: &[Some(0), None],
        confidence: None,
        constraints: None,
        keep: Some((columns, table.id_column.as_deref())),
    });
    assert_eq!(
        text,
        "id,cluster,is_noise,is_constrained,violations,x,cluster_input,note\n\
         a,0,false,false,0,1,k1,\"so, so\"\n\
         b,,true,false,0,2,k2,\n"
    );
}
