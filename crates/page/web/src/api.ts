// The conversation with the program: typed requests, streams of lines, uploads, and the key of the session.
//
// The link that the program prints ends in `#TOKEN`. The token works once: it is exchanged for a key, which is kept for
// this address (so that a second tab works) and sent with every request. A fragment never reaches a server, a log or a
// `Referer`, and it is removed from the address bar at once.

import { signal } from "@preact/signals";
import type {
  AttackEvent,
  AttackRequest,
  CoalitionAnswer,
  CoalitionRequest,
  ExplainRequest,
  ExplainedCode,
  FileList,
  FrontierEvent,
  FrontierRequest,
  HierarchyAnswer,
  HierarchyRequest,
  PlanEvent,
  PlanRequest,
  PolicyAnswer,
  PolicyRequest,
  PreviewAnswer,
  PreviewRequest,
  ProblemView,
  ProfileAnswer,
  ProfileRequest,
  ProposeRequest,
  PublishEvent,
  PublishRequest,
  ReportLinks,
  ReportRequest,
  SaveAnswer,
  SaveRequest,
  Session,
  Start,
} from "./protocol";

/** Requests with one answer: body and answer by path. */
export interface Calls {
  "/api/policy": [PolicyRequest, PolicyAnswer];
  "/api/propose": [ProposeRequest, PolicyAnswer];
  "/api/example": [Record<string, never>, PolicyAnswer];
  "/api/profile": [ProfileRequest, ProfileAnswer];
  "/api/hierarchy": [HierarchyRequest, HierarchyAnswer];
  "/api/explain": [ExplainRequest, ExplainedCode];
  "/api/preview": [PreviewRequest, PreviewAnswer];
  "/api/coalition": [CoalitionRequest, CoalitionAnswer];
  "/api/save": [SaveRequest, SaveAnswer];
  "/api/report": [ReportRequest, ReportLinks];
}

/** Requests answered by lines: body and line by path. */
export interface Streams {
  "/api/plan": [PlanRequest, PlanEvent];
  "/api/frontier": [FrontierRequest, FrontierEvent];
  "/api/attack": [AttackRequest, AttackEvent];
  "/api/publish": [PublishRequest, PublishEvent];
}

/** The program refused a request and said why. */
export class Refused extends Error {
  /** `status` is the HTTP status, `problem` what the program said. */
  constructor(
    readonly status: number,
    readonly problem: ProblemView,
  ) {
    super(problem.text);
  }
}

/** The program cannot be reached. */
export class Gone extends Error {}

/** How the page stands with the program: `locked` needs the printed link, `gone` means that it has stopped. */
export type Connection = "connecting" | "open" | "locked" | "gone";

/** The connection now. */
export const connection = signal<Connection>("connecting");

/** This tab's name: a new request of the same tab stops the one before. */
export const tab = crypto.randomUUID();

const STORED_KEY = "mingle.key";

/** Exchanges the token in the address, if there is one, and takes it out of the address bar. */
export async function openSession(): Promise<void> {
  const token = location.hash.slice(1);
  if (token === "") return;
  history.replaceState(null, "", location.pathname + location.search);
  const response = await reach("/api/session", request("POST", JSON.stringify({ token }), undefined));
  // A link that was used up is no reason to forget a key that still works: the next request tells.
  if (response.ok) localStorage.setItem(STORED_KEY, ((await response.json()) as Session).key);
}

/** What identifies the session in this tab's own storage. */
export function sessionKey(): string {
  return localStorage.getItem(STORED_KEY) ?? "";
}

/** Asks for what the page shows first. */
export function start(): Promise<Start> {
  return answered("/api/start", request("GET"));
}

/** Asks, and waits for the one answer. Throws `Refused`, `Gone`, or an `AbortError` if `signal` stops it. */
export function call<P extends keyof Calls>(path: P, body: Calls[P][0], signal?: AbortSignal): Promise<Calls[P][1]> {
  return answered(path, request("POST", JSON.stringify(body), signal));
}

/** Asks, and hands over each line as it comes. Resolves after the last one; aborting `signal` stops the work. */
export async function stream<P extends keyof Streams>(
  path: P,
  body: Streams[P][0],
  onEvent: (event: Streams[P][1]) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await checked(await reach(path, request("POST", JSON.stringify(body), signal)));
  if (response.body === null) throw new Gone();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(interrupted(signal));
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    // Blank lines only say that the program is still there.
    for (const line of lines) if (line.trim() !== "") onEvent(JSON.parse(line) as Streams[P][1]);
  }
  if (rest.trim() !== "") onEvent(JSON.parse(rest) as Streams[P][1]);
}

/** The files that were dropped so far. */
export function files(): Promise<FileList> {
  return answered("/api/files", request("GET"));
}

/** Removes a dropped file. */
export function removeFile(name: string): Promise<FileList> {
  return answered(filePath(name), request("DELETE"));
}

/**
 * Sends a file under a name, which may have folders in it. `onProgress` gets the share that is sent. This is an
 * XMLHttpRequest because `fetch` does not tell how much of a body has been sent.
 */
export function upload(
  name: string,
  file: Blob,
  onProgress?: (share: number) => void,
  signal?: AbortSignal,
): Promise<FileList> {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open("PUT", filePath(name));
    sender.setRequestHeader("Authorization", `Bearer ${sessionKey()}`);
    sender.upload.onprogress = (event) => onProgress?.(event.total > 0 ? event.loaded / event.total : 0);
    sender.onload = () => {
      if (sender.status === 200) resolve(JSON.parse(sender.responseText) as FileList);
      else reject(refusal(sender.status, sender.responseText));
      connection.value = sender.status === 401 ? "locked" : "open";
    };
    // A refused body may not be read to its end, which looks like a lost connection; whether it is one, a request tells.
    sender.onerror = () => void files().then(() => reject(new Refused(0, brokenOff(name))), reject);
    sender.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal?.addEventListener("abort", () => sender.abort());
    sender.send(file);
  });
}

/** What to show for something thrown by a request; null if it was only stopped. */
export function problemOf(error: unknown): ProblemView | null {
  if (isAbort(error)) return null;
  if (error instanceof Refused) return error.problem;
  const text = error instanceof Gone ? "the program cannot be reached" : "the page could not read the program's answer";
  const hint =
    error instanceof Gone ? "start `mingle serve` again; the policy's text is kept in this tab" : "reload the page";
  return { code: "", text, hint, excerpt: null, line: null, column: null };
}

/** Whether the program is away, or does not know this page any more. */
export function isAway(error: unknown): boolean {
  return error instanceof Gone || (error instanceof Refused && error.status === 401);
}

/** Whether a request was stopped by its own signal. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function brokenOff(name: string): ProblemView {
  const text = `the program broke off while ${name} was being sent`;
  return { code: "", text, hint: "there may be no room for it on the disk", excerpt: null, line: null, column: null };
}

function filePath(name: string): string {
  return `/api/files/${name.split("/").map(encodeURIComponent).join("/")}`;
}

function request(method: string, body?: string, signal?: AbortSignal): RequestInit {
  const headers: Record<string, string> = { Authorization: `Bearer ${sessionKey()}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };
  if (body !== undefined) init.body = body;
  if (signal !== undefined) init.signal = signal;
  return init;
}

async function answered<T>(path: string, init: RequestInit): Promise<T> {
  const response = await checked(await reach(path, init));
  return (await response.json()) as T;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    connection.value = "gone";
    throw new Gone();
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.status === 401) connection.value = "locked";
  if (!response.ok) throw refusal(response.status, await response.text());
  connection.value = "open";
  return response;
}

function refusal(status: number, body: string): Refused {
  try {
    return new Refused(status, JSON.parse(body) as ProblemView);
  } catch {
    const text = `the program answered with status ${status}`;
    return new Refused(status, { code: "", text, hint: "", excerpt: null, line: null, column: null });
  }
}

function interrupted(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    if (isAbort(error) || signal?.aborted) throw new DOMException("stopped", "AbortError");
    connection.value = "gone";
    throw new Gone();
  };
}
