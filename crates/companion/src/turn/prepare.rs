use model::ChatModel;
use store::Turn;

use super::prepared_turn::PreparedTurn;
use super::{CurrentTurn, TurnRunner};
use crate::memory_recall::{self, RecalledContext};
use crate::model_size::ModelSize;
use crate::plan::TurnPlan;
use crate::prompt::{self, Branch, MessageExtras};
use crate::tool_executor::ToolExecutor;

impl TurnRunner {
    /// Prepares a chat turn: its tools, its plan, and the memories that fit the message.
    pub(super) async fn prepare_chat(
        &self,
        current: CurrentTurn<'_>,
        branch: &Branch,
        executor: &mut ToolExecutor<'_>,
        model: &dyn ChatModel,
    ) -> PreparedTurn {
        let CurrentTurn { turn, log, .. } = current;
        let (info, settings) = (model.info(), self.services.settings());
        let prefix = self.prompts.prefix(executor.user(), model).await;
        let used = branch.used_tools();
        let request_tools = branch
            .question()
            .and_then(|question| self.prompts.tools_after(executor.user(), question, &used, model));
        let has_tools = prefix.offer.is_any() || request_tools.is_some();
        let can_plan = settings.plan && has_tools && !ModelSize::of(info.parameters).is_small();
        let plan = match (can_plan, branch.unsent_question()) {
            (false, _) => None,
            (true, Some(message)) => TurnPlan::make(model, message, log.cancelled()).await,
            // The plan was sent with the message, and is carried out again.
            (true, None) => self.earlier_plan(turn).await,
        };
        let request_tools = request_tools.unwrap_or_default();
        let tool_choice = request_tools.choice(&info);
        let is_complete_request = request_tools.is_called_for
            && !branch.question().is_some_and(memory_recall::may_refer_to_earlier);
        // A small model takes memories for a part of the request.
        let recalled = if is_complete_request {
            RecalledContext::default()
        } else {
            self.recall.for_turn(turn, branch, log, model).await
        };
        let of_memories = recalled.items.into_iter().flat_map(|item| item.origins);
        let origins: Vec<_> = of_memories.chain(request_tools.origins).collect();
        executor.add_origins(origins.iter().cloned());
        let plan_text = plan.as_ref().map(TurnPlan::in_words);
        let tools_text = (!request_tools.text.is_empty()).then_some(request_tools.text);
        let texts = recalled.told.into_iter().chain(tools_text).chain(plan_text).collect();
        let most_rounds = prompt::most_rounds(info.parameters, settings.rounds);
        PreparedTurn {
            shown: request_tools.specs,
            tool_choice,
            plan,
            replaced_facts: recalled.replaced,
            ..PreparedTurn::new(prefix, MessageExtras { texts, origins }, most_rounds, has_tools)
        }
    }

    /// Returns the plan of an earlier answer to the same message, reset to its first step.
    async fn earlier_plan(&self, turn: &Turn) -> Option<TurnPlan> {
        let question = turn.user_message?;
        match self.services.store.plan_for(turn.user, question).await {
            Ok(steps) => TurnPlan::again(&steps),
            Err(error) => {
                tracing::warn!("the plan of an earlier answer cannot be read: {error}");
                None
            }
        }
    }
}
