//! What has no effect is told, with its line.

use ironbird_world::Drive;

use super::{file, scene};

#[test]
fn everything_that_has_no_effect_is_listed_with_its_line() {
    let scene = scene(&file("warnings.sdf"));
    let text = std::fs::read_to_string(file("warnings.sdf")).unwrap();
    let line = |what: &str| text.lines().position(|line| line.contains(what)).unwrap() + 1;
    for (at, message) in [
        ("weather::Machine", "the plugin weather::Machine is not simulated"),
        ("<link name=\"body\">", "the collision outline is a polyline, which is not simulated"),
        (
            "<link name=\"body\">",
            "the friction of the collision ball is mu in all directions, not mu2",
        ),
        ("name=\"eye\"", "a sensor of type camera is not simulated yet"),
        ("ParachutePlugin", "the plugin ParachutePlugin is not simulated"),
        ("<colour>", "<colour> of LiftDrag is not simulated"),
    ] {
        let expected = format!("warnings.sdf:{}: {message}", line(at));
        assert!(
            scene.warnings.iter().any(|w| w.ends_with(&expected)),
            "{expected}: {:#?}",
            scene.warnings
        );
    }
    let nobody = "there is no link nobody; the plugin LiftDrag does nothing";
    assert!(scene.warnings.iter().any(|w| w.ends_with(nobody)), "{:#?}", scene.warnings);
    assert_eq!(scene.warnings.len(), 7, "{:#?}", scene.warnings);
}

#[test]
fn a_model_alone_stands_on_level_ground() {
    let scene = scene(&file("gimbal.sdf"));
    assert_eq!(scene.fixed.len(), 1);
    assert!(scene.warnings[0].contains("a model without a world"), "{:?}", scene.warnings);
}

#[test]
fn no_autopilot_is_called() {
    let scene = scene(&file("blades.sdf"));
    assert_eq!(scene.warnings.len(), 1, "{:?}", scene.warnings);
    assert!(scene.warnings[0].contains("no autopilot is called at this address"));
}

#[test]
fn a_surface_that_air_never_meets_is_left_out_with_its_line() {
    let scene = scene(&file("ugly/models/chute/model.sdf"));
    let expected = "chute/model.sdf:7: <forward> of this LiftDrag is 0 0 0";
    assert!(scene.warnings.iter().any(|w| w.contains(expected)), "{:#?}", scene.warnings);
    let Drive::Jointed(plan) = &scene.vehicles[0].body.drive else { panic!("it has a surface") };
    assert_eq!(plan.actors.len(), 1, "the other surface is still there");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = ironbird_world::sdf::read(&file("nothing.sdf"), &[]).err().unwrap().to_string();
    assert!(error.contains("nothing.sdf"), "{error}");
}
