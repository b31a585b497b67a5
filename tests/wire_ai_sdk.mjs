// What the AI SDK makes of an API's stream: node wire_ai_sdk.mjs MODULES API URL, where MODULES holds its packages.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

globalThis.AI_SDK_LOG_WARNINGS = false;
const [modules, api, url] = process.argv.slice(2);
const { resolve } = createRequire(join(modules, "from-here.js"));
const load = async (name) => import(pathToFileURL(resolve(name)).href);
const { streamText, jsonSchema, tool } = await load("ai");

const options = { name: "replay", baseURL: `${url}/v1`, apiKey: "x", includeUsage: true };
const models = {
  chat: async () => (await load("@ai-sdk/openai-compatible")).createOpenAICompatible(options)("m"),
  responses: async () => (await load("@ai-sdk/openai")).createOpenAI(options).responses("m"),
  messages: async () => (await load("@ai-sdk/anthropic")).createAnthropic(options)("m"),
};
const any = tool({ inputSchema: jsonSchema({ type: "object", additionalProperties: true }) });
const made = { content: "", reasoning: "", calls: [], usage: [0, 0], errors: [] };
const { fullStream } = streamText({
  model: await models[api](),
  prompt: "hi",
  tools: { f: any, g: any, get_weather: any },
  maxRetries: 0,
  onError: ({ error }) => made.errors.push(String(error?.message ?? JSON.stringify(error))),
});
for await (const part of fullStream) {
  if (part.type === "text-delta") made.content += part.text;
  if (part.type === "reasoning-delta") made.reasoning += part.text;
  if (part.type === "tool-call") made.calls.push([part.toolName, part.input, part.invalid ?? false]);
  if (part.type === "finish") {
    made.finish = part.finishReason;
    made.usage = [part.totalUsage.inputTokens, part.totalUsage.outputTokens];
  }
}
console.log(JSON.stringify(made));
