// The part of the reference capture that shell cannot do well: JSON.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const payload = JSON.parse(fs.readFileSync(0, "utf8"));
const git = (...args) => execFileSync("git", args, { cwd: payload.cwd, encoding: "utf8" });
const status = git("status", "--porcelain=v2", "-z", "-uall").split("\0").filter(Boolean);
git("diff", "--numstat", "-z", "HEAD");
const files = status.map((line) => (line[0] === "?" ? line.slice(2) : line.split(" ").slice(8).join(" ")));
const weights = { auth: 1.0, data: 0.9, infra: 0.85, build: 0.6, ui: 0.4, test: 0.2, docs: 0.1 };
const patterns = {
  auth: /auth|login|session|token|permission|rbac|credential|secret/,
  data: /migration|prisma|schema|\.sql|entity|repository|seed/,
  infra: /docker|\.woodpecker|compose|traefik|deploy|helm|k8s|terraform/,
  build: /package.json|tsconfig|turbo.json|pnpm-|\.config\.|eslint|vite/,
  ui: /\.tsx|\.css|components\/|apps\/web\//,
  test: /\.spec\.|\.test\.|__tests__\//,
  docs: /\.md|docs\//,
};
const surfaceOf = (file) => Object.keys(patterns).find((surface) => patterns[surface].test(file)) ?? "none";
const surface = files.map(surfaceOf).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))[0] ?? "none";
const score = weights[surface] ?? 0;
const timestamp = new Date().toISOString();
const reflection = {
  schema: "reflection.v1", task_ref: path.basename(payload.cwd), agent: "reference", session_id: payload.session_id,
  timestamp, repo: path.basename(payload.cwd), confidence: null, most_likely_wrong: null, known_not_in_diff: null,
  risk: { needs_review: score >= 0.5, score, surface, reason: surface }, files_changed: files,
  provenance: { source: "stop-hook", reflection_attempt: 1, degraded: true, reflection_mode: "solo" },
};
fs.mkdirSync(process.env.REFLECTION_DIR, { recursive: true });
const target = path.join(process.env.REFLECTION_DIR, `${payload.session_id}-${timestamp}.reference.json`);
const handle = fs.openSync(`${target}.tmp`, "w");
fs.writeSync(handle, JSON.stringify(reflection));
fs.fsyncSync(handle);
fs.closeSync(handle);
fs.renameSync(`${target}.tmp`, target);
