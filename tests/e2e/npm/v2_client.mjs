// A client that the v2 API of @agentclientprotocol/sdk makes: it plays one conversation and prints what came as JSON.
//
//   node v2_client.mjs COMMAND... < conversation.json
//
// The conversation is {"cwd", "prompts": [{"text", "cancelAt"?}], "again": text}: the prompts are sent one after the other in
// one session, each when the one before has come to its end. The session is cancelled as soon as a file "cancelAt" is in the
// working directory. Then the session is closed, resumed with its history, and prompted "again".
//
// Printed is {"prompts", "list", "resume", "replay", "again", "permissions", "problems"}: answers as the SDK parsed them, and
// of each prompt and of the replay the updates. "problems" is what the SDK reported about messages of the agent, and every
// value that its schema did not take as it was sent: in place of a faulty optional field the SDK puts a default, without a
// word. If a request fails, the conversation ends there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk/experimental/v2/unstable";

const { session, initialize } = methods.agent;
const conversation = JSON.parse(await text(process.stdin));
const problems = [];
console.error = (...what) => problems.push(what.map((part) => JSON.stringify(part)).join(" "));

/** Where a value as it was sent has something that the parsed one has not. */
function* lost(sent, parsed, path) {
  if (sent === null && parsed === undefined) return;
  if (typeof sent !== "object" || sent === null || typeof parsed !== "object" || parsed === null) {
    if (sent !== parsed) yield `${path}: ${JSON.stringify(sent)} became ${JSON.stringify(parsed)}`;
    return;
  }
  for (const key of Object.keys(sent)) yield* lost(sent[key], parsed[key], `${path}/${key}`);
}

/** The stream with all its messages shown to `look` before the SDK gets them. */
function watched({ readable, writable }, look) {
  const tap = new TransformStream({
    transform(message, controller) {
      look(message);
      controller.enqueue(message);
    },
  });
  return { writable, readable: readable.pipeThrough(tap) };
}

const agent = spawn(process.argv[2], process.argv.slice(3), { stdio: ["pipe", "pipe", "inherit"] });
const sent = {}; // method: the parameters of the agent's messages that no handler has had yet
const results = [];
const updates = [];
const waiting = new Set();
const permissions = [];

function compare(method, params) {
  problems.push(...lost(sent[method].shift(), params, method));
}

/** Resolves once an update from `since` on fulfils a condition. */
function update(since, fulfils) {
  return new Promise((resolve) => {
    const look = () => {
      if (!updates.slice(since).some(fulfils)) return false;
      resolve();
      return true;
    };
    if (!look()) waiting.add(look);
  });
}

const stream = watched(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), (message) => {
  if (message.method) (sent[message.method] ??= []).push(message.params);
  else results.push(message.result);
});
const connection = client({ name: "test" })
  .onNotification(methods.client.session.update, ({ params }) => {
    compare(methods.client.session.update, params);
    updates.push(params);
    for (const look of waiting) if (look()) waiting.delete(look);
  })
  .onRequest(methods.client.session.requestPermission, ({ params }) => {
    compare(methods.client.session.requestPermission, params);
    permissions.push(params);
    const { optionId } = params.options.find(({ kind }) => kind === "allow_once");
    return { outcome: { outcome: "selected", optionId } };
  })
  .onNotification("_auth/status_update", (params) => params, () => {})
  .connect(stream);

/** Resolves once a file is in the working directory. */
function file(name) {
  return new Promise((resolve) => {
    const look = () => {
      if (!existsSync(join(conversation.cwd, name))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(conversation.cwd, look);
    look();
  });
}

/** Sends a request; no other is open meanwhile. */
async function request(method, params) {
  const answer = await connection.agent.request(method, params);
  problems.push(...lost(results.pop(), answer, method));
  return answer;
}

/** Sends a prompt and returns its answer and the updates until the session is idle. */
async function prompt(sessionId, { text, cancelAt }) {
  const mark = updates.length;
  const answer = await request(session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  if (cancelAt) {
    await file(cancelAt);
    await connection.agent.notify(session.cancel, { sessionId });
  }
  await update(mark, (each) => each.sessionId === sessionId && each.update.state === "idle");
  return { answer, updates: updates.slice(mark) };
}

const { cwd } = conversation;
const seen = { prompts: [] };
try {
  await request(initialize, { protocolVersion: 2, capabilities: {}, info: { name: "test", version: "1" } });
  const { sessionId } = await request(session.new, { cwd, mcpServers: [] });
  for (const each of conversation.prompts) seen.prompts.push(await prompt(sessionId, each));
  await request(session.close, { sessionId });
  seen.list = await request(session.list, { cwd });
  const mark = updates.length;
  seen.resume = await request(session.resume, { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" } });
  seen.replay = updates.slice(mark);
  seen.again = await prompt(sessionId, { text: conversation.again });
} catch (error) {
  problems.push(`${error}`);
}
connection.close();
agent.stdin.end();
if (agent.exitCode === null) await once(agent, "exit");
console.log(JSON.stringify({ ...seen, permissions, problems }));
