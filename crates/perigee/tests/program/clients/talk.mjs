// Talks to /v1 with the official client, and prints what came of it as JSON.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.CLIENT_FOLDER, 'index.js'));
const { OpenAI } = require('openai');

const client = new OpenAI({ maxRetries: 0 });
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const greeting = { role: 'user', content: 'Good evening' };
const question = { role: 'user', content: 'Does it rain in Kiel?' };

async function streamed(model, more) {
  const told = { text: '', calls: [], finish: null, usage: null };
  const chunks = await client.chat.completions.create({
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...more,
  });
  for await (const chunk of chunks) {
    told.usage = chunk.usage ?? told.usage;
    for (const choice of chunk.choices) {
      told.text += choice.delta.content ?? '';
      told.finish = choice.finish_reason ?? told.finish;
      for (const call of choice.delta.tool_calls ?? []) {
        const known = (told.calls[call.index] ??= { name: '', arguments: '' });
        known.name += call.function.name ?? '';
        known.arguments += call.function.arguments ?? '';
      }
    }
  }
  return told;
}

async function conversation(model) {
  const greeted = await streamed(model, { messages: [greeting] });
  const whole = await client.chat.completions.create({ model, messages: [greeting] });
  const asked = await streamed(model, { messages: [question], tools: [weather] });
  const called = await client.chat.completions.create({ model, messages: [question], tools: [weather] });
  const [call] = called.choices[0].message.tool_calls;
  const result = { role: 'tool', tool_call_id: call.id, content: 'rain' };
  const after = await client.chat.completions.create({
    model,
    messages: [question, called.choices[0].message, result],
    tools: [weather],
  });
  return {
    model,
    streamed: greeted.text,
    finish: greeted.finish,
    promptTokens: greeted.usage.prompt_tokens,
    whole: whole.choices[0].message.content,
    streamedTool: [asked.calls[0].name, JSON.parse(asked.calls[0].arguments)],
    streamedToolFinish: asked.finish,
    wholeTool: [call.function.name, JSON.parse(call.function.arguments)],
    afterTool: after.choices[0].message.content,
  };
}

async function refusal(act) {
  try {
    await act();
    return null;
  } catch (error) {
    return error.status;
  }
}

const models = [];
for await (const model of client.models.list()) models.push(model.id);
const stranger = new OpenAI({ apiKey: 'not-the-token', maxRetries: 0 });
const report = {
  models,
  conversations: [await conversation('luna'), await conversation('scripted')],
  badRequest: await refusal(() => client.chat.completions.create({ model: 'luna', messages: [] })),
  badKey: await refusal(() => stranger.models.list()),
  missingModel: await refusal(() => client.models.retrieve('nobody')),
};
console.log(JSON.stringify(report));
