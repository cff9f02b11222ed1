//! What libraries compute.

use ironbird_kernel::{Options, Simulation};
use ironbird_test_rig::{assert_goes_on_after_a_checkpoint, seconds, text};

use crate::{Library, rig};

#[test]
fn a_library_is_stepped_with_its_inputs_and_the_time() {
    let library = Library::stepping("out[0] = 10 * in[0] + t; return 0;");
    let shown = library.system(&[]).run(seconds(0.6), &["user.y"]).numbers("user.y");
    assert_eq!(shown, [10.0, 10.1, 10.2, 10.3, 10.4, 20.5, 20.6]);
}

#[test]
fn parameters_are_names_and_numbers_and_ports_may_be_vectors() {
    let library = Library::of(
        r#"
#include <stdlib.h>
#include <string.h>
struct user { double gain; };
const char *ironbird_describe(void) {
    return "ironbird 1\nin v m [3] ned\nin on bool\nout w m [3] ned\nout off bool\n";
}
void *ironbird_create(const char *const *names, const double *values, size_t count) {
    struct user *user = calloc(1, sizeof *user);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], "gain") == 0) user->gain = values[i];
    return user;
}
int ironbird_step(void *self, double t, const double *in, double *out) {
    struct user *user = self;
    for (int i = 0; i < 3; i++) out[i] = user->gain * in[i];
    out[3] = in[3] == 0;
    return 0;
}
void ironbird_destroy(void *self) { free(self); }
"#,
    );
    let mut rig = rig();
    rig.script("v", &[(seconds(0.0), [1.0, 2.0, 3.0])]);
    rig.script("on", &[(seconds(0.0), true)]);
    rig.add("user", "foreign.c", &library.settings(&[("parameters", text("gain = 2, other = 7"))]));
    rig.link("v.out", "user.v");
    rig.link("on.out", "user.on");
    let run = rig.run(seconds(0.0), &["user.w", "user.off"]);
    assert_eq!(run.samples::<[f64; 3]>("user.w")[0].1, [2.0, 4.0, 6.0]);
    assert!(!run.samples::<bool>("user.off")[0].1);
}

#[test]
fn what_it_prints_does_not_disturb() {
    let library = Library::of(&format!(
        "#include <stdio.h>\n{}\nint ironbird_step(void *self, double t, const double *in, double *out) \
         {{ puts(\"hello\"); fflush(stdout); if (getchar() != EOF) return 1; out[0] = 1; return 0; }}",
        crate::COUNTER
    ));
    let shown = library.system(&[]).run(seconds(0.2), &["user.y"]).numbers("user.y");
    assert_eq!(shown, [1.0; 3]);
}

const SUM: &str = "struct user *user = self; user->sum += in[0] / 3; out[0] = user->sum; return 0;";

#[test]
fn a_library_that_saves_goes_on_after_a_checkpoint() {
    let library = Library::of(&format!(
        "#include <string.h>\n{}\n\
         int ironbird_step(void *self, double t, const double *in, double *out) {{ {SUM} }}\n\
         size_t ironbird_save(void *self, void *bytes, size_t capacity) {{\n\
             if (capacity >= sizeof(struct user)) memcpy(bytes, self, sizeof(struct user));\n\
             return sizeof(struct user);\n\
         }}\n\
         int ironbird_load(void *self, const void *bytes, size_t size) {{\n\
             if (size != sizeof(struct user)) return 1;\n\
             memcpy(self, bytes, size);\n\
             return 0;\n\
         }}",
        crate::COUNTER
    ));
    let graph = || library.system(&[]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.45), seconds(1.0));
}

#[test]
fn one_that_does_not_is_named_when_a_checkpoint_is_wanted() {
    let library = Library::stepping(SUM);
    let mut run = Simulation::new(library.system(&[]).into_graph(), Options::default()).unwrap();
    run.run_until(seconds(0.3)).unwrap();
    let refused = run.checkpoint().unwrap_err().to_string();
    assert_eq!(refused, "these components cannot save their state: user");
}

#[test]
fn two_runs_are_the_same_to_the_last_bit() {
    let library = Library::stepping(SUM);
    let run = || library.system(&[]).run(seconds(1.0), &["user.y"]).numbers("user.y");
    let bits = |numbers: Vec<f64>| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(run()), bits(run()));
}
