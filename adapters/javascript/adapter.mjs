// Answers the conformance kit with the npm package `evenstride`: remote bodies that positions move. Pure functions
// are plain JavaScript. docs/conformance-protocol.md describes the lines.
import { createInterface } from "node:readline";
import { Body, Unsupported } from "./body.mjs";
import { calls } from "./space.mjs";

const fields = ["cell", "pos", "quat"];

function hello() {
    const drivers = { math_calls: {}, internal: { fields }, update_object: { fields }, use_time: { fields } };
    return { type: "hello", protocol: 1, name: "evenstride, npm package", drivers };
}

let body = null;

function out(question) {
    switch (question.type) {
        case "trace":
            body = question.driver === "math_calls" ? null : new Body(question);
            return {};
        case "call":
            if (!calls[question.op]) throw new Unsupported(`function ${question.op}`);
            return calls[question.op](question.args);
        case "event":
            return body.event(question);
        default:
            return body.tick(question);
    }
}

for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    let answer;
    try {
        answer = question.type === "hello" ? hello() : { id: question.id, out: out(question) };
    } catch (why) {
        const member = why instanceof Unsupported ? "unsupported" : "error";
        answer = { id: question.id, [member]: String(why.message) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
}
