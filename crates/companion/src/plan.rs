//! Splits a long request into steps. The model writes the plan, and the round loop works through it.

use model::{ChatModel, Constraint, ModelMessage, ModelRequest, ModelRole, Sampling};
use protocol::{PlanStep, StepStatus};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::model_text::complete;

const MOST_STEPS: usize = 6;
/// The greatest number of steps of a plan that the user has reviewed.
const MOST_GIVEN: usize = 12;
const LONGEST_STEP: usize = 80;
/// The length below which a message is taken to ask for one thing only, in characters.
const LEAST_CHARS: usize = 160;
/// The number of indications of several requests from which a message gets a plan.
const LEAST_SIGNS: usize = 3;

const TASK: &str = "Split the user's request into two to six steps that are done one after the other. Each step is a \
    short phrase that begins with a verb, in the user's language. Write only what was asked for.";

/// The steps of a turn and the current position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPlan {
    steps: Vec<PlanStep>,
    current: usize,
}

impl TurnPlan {
    /// Lets the model make a plan for a message, if the message is long enough and the model is able to.
    pub async fn make(model: &dyn ChatModel, message: &str, cancel: &CancellationToken) -> Option<Self> {
        if !is_long(message) {
            return None;
        }
        let schema = json!({
            "type": "object",
            "properties": {
                "steps": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": MOST_STEPS},
            },
            "required": ["steps"],
            "additionalProperties": false,
        });
        let request = ModelRequest {
            messages: vec![
                ModelMessage::text(ModelRole::System, TASK),
                ModelMessage::text(ModelRole::User, message),
            ],
            sampling: Sampling { max_tokens: 300, temperature: 0.2, ..Sampling::default() },
            constraint: Some(Constraint::JsonSchema(schema)),
            cancel: cancel.clone(),
            ..ModelRequest::default()
        };
        let words = complete(model, request).await?;
        let written: Value = serde_json::from_str(words.trim()).ok()?;
        Self::of(written["steps"].as_array()?.iter().filter_map(Value::as_str).take(MOST_STEPS))
    }

    fn of<'a>(titles: impl Iterator<Item = &'a str>) -> Option<Self> {
        let titles = titles.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        let mut steps: Vec<PlanStep> = titles
            .filter(|title| !title.is_empty())
            .take(MOST_GIVEN)
            .map(|title| PlanStep {
                title: title.chars().take(LONGEST_STEP).collect(),
                status: StepStatus::Pending,
            })
            .collect();
        if steps.len() < 2 {
            return None;
        }
        steps[0].status = StepStatus::Running;
        Some(Self { steps, current: 0 })
    }

    /// Creates a plan from existing steps.
    pub fn of_steps(steps: &[String]) -> Option<Self> {
        Self::of(steps.iter().map(String::as_str))
    }

    /// Creates a plan from that of an earlier answer to the same message, with all steps open.
    pub fn again(steps: &[PlanStep]) -> Option<Self> {
        Self::of(steps.iter().map(|step| step.title.as_str()))
    }

    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// Returns the text that shows the plan to the model.
    pub fn in_words(&self) -> String {
        let lines = self.steps.iter().enumerate();
        let lines: Vec<String> =
            lines.map(|(place, step)| format!("{}. {}", place + 1, step.title)).collect();
        format!(
            "Do it in these steps, one at a time. Begin with the first, and do only that:\n{}",
            lines.join("\n")
        )
    }

    /// Advances to the next step and returns the instruction for it. `None` after the last step.
    pub fn advance(&mut self) -> Option<String> {
        self.steps[self.current].status = StepStatus::Done;
        let next = self.steps.get_mut(self.current + 1)?;
        next.status = StepStatus::Running;
        let title = next.title.clone();
        self.current += 1;
        Some(format!("Step {} of {}: {title}. Do only this step.", self.current + 1, self.steps.len()))
    }

    /// Ends the plan: steps that were not begun are skipped.
    pub fn end(&mut self, well: bool) {
        for step in &mut self.steps {
            step.status = match step.status {
                StepStatus::Running if well => StepStatus::Done,
                StepStatus::Done => StepStatus::Done,
                StepStatus::Pending | StepStatus::Running | StepStatus::Skipped => StepStatus::Skipped,
            };
        }
    }
}

/// Returns true if a message asks for several things.
fn is_long(message: &str) -> bool {
    const WORDS: [&str; 10] = [
        " then ",
        "after that",
        "afterwards",
        "finally",
        "first,",
        "next,",
        "secondly",
        " and also ",
        "as well as",
        ";",
    ];
    let is_item = |line: &str| {
        let line = line.trim_start();
        line.starts_with("- ")
            || line.starts_with("* ")
            || line.split_once(['.', ')']).is_some_and(|(number, rest)| {
                number.len() <= 2 && number.parse::<u8>().is_ok() && rest.starts_with(' ')
            })
    };
    let items = message.lines().filter(|line| is_item(line)).count();
    if items >= LEAST_SIGNS {
        return true;
    }
    let lower = message.to_lowercase();
    let signs =
        WORDS.iter().map(|word| lower.matches(word).count()).sum::<usize>() + lower.matches('?').count();
    message.chars().count() >= LEAST_CHARS && signs + items >= LEAST_SIGNS
}

#[cfg(test)]
mod tests {
    use StepStatus::{Done, Pending, Running, Skipped};

    use super::*;

    #[test]
    fn only_what_asks_for_several_things_is_long() {
        let trip = "Find out which night trains go from Zürich to Vienna in May, then compare the three cheapest with \
                    the plane, then write me a packing list for four days, and finally draft a mail to Ines about it.";
        let list = "Please:\n1. look up the tide\n2. check the weather\n3. write a list";
        let tale = "I walked along the river today and saw a heron that stood in the water for an hour without moving at \
                    all, and it made me think of my grandmother, who could sit like that with her knitting all evening.";
        for (message, long) in [
            (trip, true),
            (list, true),
            (tale, false),
            ("What is the moon? Why? And then?", false),
            ("- milk\n- bread", false),
            ("", false),
        ] {
            assert_eq!(is_long(message), long, "{message}");
        }
    }

    #[test]
    fn a_plan_is_walked_through_and_ends() {
        let mut plan = TurnPlan::of(["find  it", "", "compare it", "write it"].into_iter()).unwrap();
        let statuses = |plan: &TurnPlan| plan.steps().iter().map(|step| step.status).collect::<Vec<_>>();
        assert_eq!(statuses(&plan), [Running, Pending, Pending]);
        assert!(plan.in_words().ends_with("1. find it\n2. compare it\n3. write it"));
        assert_eq!(plan.advance().as_deref(), Some("Step 2 of 3: compare it. Do only this step."));
        assert_eq!(statuses(&plan), [Done, Running, Pending]);
        let mut cut = plan.clone();
        cut.end(false);
        assert_eq!(statuses(&cut), [Done, Skipped, Skipped]);
        plan.advance();
        plan.end(true);
        assert_eq!(statuses(&plan), [Done, Done, Done]);
        assert_eq!(plan.advance(), None);
    }

    #[test]
    fn a_plan_has_a_few_short_steps() {
        assert_eq!(TurnPlan::of(["one"].into_iter()), None);
        let many = TurnPlan::of(std::iter::repeat_n("step", 20)).unwrap();
        assert_eq!(many.steps().len(), MOST_GIVEN);
        let long = "x".repeat(500);
        let long = TurnPlan::of([long.as_str(), "y"].into_iter()).unwrap();
        assert_eq!(long.steps()[0].title.chars().count(), LONGEST_STEP);
    }
}
