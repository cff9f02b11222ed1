//! Fewer poses along the same track.

use super::SpacePose;

/// At most `most` of `poses`, the first and the last among them. The rest is divided into spans of equal
/// counts; of each the pose stays that reaches farthest from the line between its neighbours: the one kept
/// before and the middle of the next span (largest triangle in three buckets, Steinarsson 2013, in space).
pub(super) fn thin(poses: &[SpacePose], most: usize) -> Vec<SpacePose> {
    let is_place = |pose: &&SpacePose| pose.position.iter().all(|part| part.is_finite());
    let poses: Vec<SpacePose> = poses.iter().filter(is_place).copied().collect();
    if poses.len() <= most.max(3) {
        return poses;
    }
    let spans = most - 2;
    let inner = poses.len() - 2;
    let border = |span: usize| 1 + span * inner / spans;
    let mut kept = vec![poses[0]];
    for span in 0..spans {
        let here = &poses[border(span)..border(span + 1)];
        let next = match span + 1 {
            last if last == spans => &poses[poses.len() - 1..],
            next => &poses[border(next)..border(next + 1)],
        };
        let before = kept[kept.len() - 1].position;
        let after = middle(next);
        let reach = |pose: &&SpacePose| area(before, pose.position, after);
        kept.extend(here.iter().max_by(|a, b| reach(a).total_cmp(&reach(b))).copied());
    }
    kept.push(poses[poses.len() - 1]);
    kept
}

fn middle(poses: &[SpacePose]) -> [f64; 3] {
    let sum = |axis: usize| poses.iter().map(|pose| pose.position[axis]).sum::<f64>();
    [0, 1, 2].map(|axis| sum(axis) / poses.len() as f64)
}

/// The square of twice the area of a triangle.
fn area(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    let from_a = |p: [f64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (from_a(b), from_a(c));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normal.iter().map(|part| part * part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(time: f64, down: f64) -> SpacePose {
        SpacePose { time, position: [time, 0.0, down], attitude: None }
    }

    #[test]
    fn the_ends_and_a_short_dive_stay() {
        let mut poses: Vec<SpacePose> = (0..50_000).map(|k| pose(f64::from(k), 0.0)).collect();
        poses[31_415].position[2] = 12.0;
        let kept = thin(&poses, 200);
        assert_eq!(kept.len(), 200);
        assert_eq!((kept[0], kept[199]), (poses[0], poses[49_999]));
        assert!(kept.contains(&poses[31_415]));
        assert!(kept.is_sorted_by(|a, b| a.time < b.time));
    }

    #[test]
    fn places_that_are_no_numbers_are_left_out() {
        let poses = [pose(0.0, 1.0), pose(1.0, f64::NAN), pose(2.0, 3.0)];
        assert_eq!(thin(&poses, 100), [poses[0], poses[2]]);
    }
}
