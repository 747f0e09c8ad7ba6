// The page's behaviour. All markup comes from the server, which has escaped the text in it; text that is made here is set
// as text.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const main = $("main");
const isStudy = document.body.dataset.page === "study";
let token = $("meta[name=page-token]").content;

// Requests

async function post(path, fields, { body, type } = {}) {
  const headers = { "X-Page-Token": token, "Content-Type": type ?? "application/x-www-form-urlencoded" };
  try {
    const response = await fetch(path, { method: "POST", headers, body: body ?? new URLSearchParams(fields ?? {}) });
    const content = await response.json().catch(() => ({}));
    return { message: "This did not work. Try again.", ...content, ok: response.ok, status: response.status };
  } catch {
    return { ok: false, status: 0, message: "The server does not answer. Your text is still here: try again later." };
  }
}

async function command(path, done, fields) {
  const answer = await post(path, fields);
  say(answer.ok ? done : answer.message, !answer.ok);
  return answer;
}

let silence;
function say(text, isError = false) {
  const status = $("#status");
  status.textContent = text;
  status.classList.toggle("problem", isError);
  clearTimeout(silence);
  silence = setTimeout(() => (status.textContent = ""), isError ? 10000 : 4000);
}

// Errors beside fields

const make = (name, properties) => Object.assign(document.createElement(name), properties);

let errors = 0;
function showError(control, message, otherText) {
  clearError(control);
  const error = make("p", { className: "error", id: `error-${(errors += 1)}`, role: "alert", textContent: message });
  if (otherText !== undefined) error.append(" It reads now: ", make("q", { textContent: otherText }));
  control.after(error);
  control.setAttribute("aria-describedby", error.id);
  control.setAttribute("aria-invalid", "true");
}

function clearError(control) {
  if (control.nextElementSibling?.matches(".error")) control.nextElementSibling.remove();
  control.removeAttribute("aria-describedby");
  control.removeAttribute("aria-invalid");
}

async function submit(form, path, fields, options) {
  const button = $("button:not([type=button])", form);
  for (const control of form.elements) clearError(control);
  button.disabled = true;
  const answer = await post(path, fields, options);
  button.disabled = false;
  const control = answer.field && form.elements[answer.field];
  if (!answer.ok && control) {
    showError(control, answer.message, answer.value);
    control.focus();
  } else if (!answer.ok) {
    say(answer.message, true);
  }
  return answer.ok;
}

// Editing in place

/** What stands for each open editor when it is closed. */
const buttons = new WeakMap();
/** While elements are replaced, an editor that loses the focus is not left. */
let isPatching = false;

function fit(area) {
  area.rows = Math.min(12, area.value.split("\n").length);
}

function edit(button) {
  const wrapper = make("div", { className: "editing" });
  const area = make("textarea", { className: "editor", value: button.textContent, ariaLabel: button.dataset.name });
  Object.assign(area.dataset, { field: button.dataset.field, base: area.value });
  wrapper.append(area);
  buttons.set(wrapper, button);
  button.replaceWith(wrapper);
  fit(area);
  area.focus();
  area.select();
}

function close(area, focuses) {
  const wrapper = area.parentElement;
  const button = buttons.get(wrapper);
  isPatching = true;
  wrapper.replaceWith(button);
  isPatching = false;
  if (focuses) button.focus();
  const gone = button.closest("#gone li");
  if (gone) (gone.parentElement.children.length > 1 ? gone : $("#gone")).remove();
}

async function keep(area, focuses) {
  const { field, base } = area.dataset;
  if (area.value.trim() === base && !area.hasAttribute("aria-invalid")) return close(area, focuses);
  if (area.readOnly) return;
  const card = area.closest("[data-card]");
  const path = card ? `/cards/${card.dataset.card}` : `/decks/${area.closest("[data-deck]").dataset.deck}`;
  const wrapper = area.parentElement;
  const [button, text] = [buttons.get(wrapper), area.value];
  area.readOnly = true;
  const answer = await post(path, { [field]: text, base });
  area.readOnly = false;
  if (!answer.ok) {
    area.dataset.refused = text;
    if (answer.status === 409) area.dataset.base = answer.value;
    return showError(area, answer.message, answer.value);
  }
  // An event has put another button there when it was faster than the answer.
  if (buttons.get(wrapper) === button) button.textContent = text.trim();
  close(area, focuses || document.activeElement === area);
}

// Patches

function elements(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

const scope = (element, outer) =>
  element.closest("[data-card]")?.dataset.card ?? element.closest("[data-deck]")?.dataset.deck ?? outer;

/** Takes what a person is typing along from elements to those that replace them. */
function carry(old, next) {
  const outer = old.closest("[data-card]")?.dataset.card ?? old.closest("[data-deck]")?.dataset.deck;
  for (const wrapper of $$(".editing", old)) {
    const { field } = $(".editor", wrapper).dataset;
    const key = scope(wrapper, outer);
    const button = $$(`button.text[data-field="${field}"]`, next).find((found) => scope(found, outer) === key);
    if (button) {
      button.replaceWith(wrapper);
      buttons.set(wrapper, button);
    } else {
      shelve(wrapper);
    }
  }
  for (const form of $$("form.add-card", old)) {
    const key = scope(form);
    $$("form.add-card", next).find((found) => scope(found) === key)?.replaceWith(form);
  }
  if (old.matches("select")) next.value = old.value;
  if (old.matches("select") && next.selectedIndex < 0) next.selectedIndex = 0;
}

/** Keeps a changed text whose card was deleted meanwhile, so that it can be copied. */
function shelve(wrapper) {
  const area = $(".editor", wrapper);
  if (area.value === area.dataset.base) return;
  if (!$("#gone")) main.before(make("ol", { id: "gone", className: "cards" }));
  const item = make("li", { className: "card" });
  item.dataset.card = scope(wrapper);
  item.append(wrapper);
  $("#gone").append(item);
  showError(area, "This was deleted on another page. Copy your text, or press Escape.");
}

/** Makes a change of elements; the focus and the selection stay where they are as far as they can. */
function patch(change) {
  const focused = document.activeElement;
  const [start, end] = [focused?.selectionStart, focused?.selectionEnd];
  const key = focused && scope(focused);
  const like = focused?.dataset.field ? `[data-field="${focused.dataset.field}"]` : `.${focused?.classList[0]}`;
  const neighbour = focused?.closest("li.card")?.nextElementSibling ?? focused?.closest("li.card")?.previousElementSibling;
  const section = focused?.closest("section");
  isPatching = true;
  try {
    change();
  } finally {
    isPatching = false;
  }
  if (document.activeElement === focused || focused === document.body) return;
  if (document.contains(focused)) {
    focused.focus({ preventScroll: true });
    if (focused.matches("textarea, input") && start != null) focused.setSelectionRange(start, end);
    return;
  }
  const same = key && $$(`main ${like}`).find((element) => scope(element) === key);
  const next = same || (neighbour?.isConnected && $(like, neighbour)) || (section?.isConnected && $("textarea", section));
  (next || main).focus({ preventScroll: true });
}

function apply({ op, id, html, into, after }) {
  const element = id && document.getElementById(id);
  const parent = into && document.getElementById(into);
  if ((id && !element) || (into && !parent)) throw new Error("The page is not what the server takes it for.");
  if (op === "remove") {
    for (const wrapper of $$(".editing", element)) shelve(wrapper);
    element.remove();
  } else if (op === "replace") {
    const next = elements(html).firstElementChild;
    carry(element, next);
    element.replaceWith(next);
  } else {
    const moved = element ?? elements(html).firstElementChild;
    if (after) document.getElementById(after).after(moved);
    else parent.prepend(moved);
  }
}

function replaceMain(html) {
  const next = make("main");
  next.append(elements(html));
  carry(main, next);
  main.replaceChildren(...next.childNodes);
}

// Events

const parameters = new URLSearchParams(location.search);
let source;
let runningImport;

function connect(seen) {
  source?.close();
  const query = new URLSearchParams(isStudy ? { limit: 1 } : { search: parameters.get("search") ?? "" });
  if (!isStudy && parameters.get("limit")) query.set("limit", parameters.get("limit"));
  if (seen) query.set("seen", seen);
  document.body.dataset.connected = "false";
  const events = (source = new EventSource(`/events?${query}`));
  events.onopen = () => {
    document.body.dataset.connected = "true";
    if (runningImport) showImport({ text: "", isRunning: false });
  };
  events.onerror = () => {
    document.body.dataset.connected = "false";
    // A browser connects again by itself, but not after an answer such as 503.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => events === source && connect(), 1000);
  };
  const on = (name, handle) => events.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  on("state", (content) => {
    token = content.token;
    if (!isStudy) showState(content.state);
  });
  if (isStudy) {
    on("patch", () => $("#answer")?.hidden !== false && nextQuestion());
    return;
  }
  on("patch", (patches) => {
    try {
      patch(() => patches.forEach(apply));
    } catch {
      connect();
    }
  });
  on("reload-content", ({ html, decks }) => {
    patch(() => replaceMain(html));
    apply({ op: "replace", id: "import-deck", html: decks });
  });
  on("import", showImport);
}

function showState({ undo, redo, isEdited }) {
  for (const [selector, title, name] of [["#undo", undo, "Undo"], ["#redo", redo, "Redo"]]) {
    const text = title ?? name;
    Object.assign($(selector), { disabled: title === undefined, title: text, ariaLabel: text });
  }
  $("#edited").hidden = !isEdited;
}

function showImport({ id, text, isRunning }) {
  runningImport = isRunning ? id : undefined;
  $("#import-status").textContent = text;
  $("#import-cancel").hidden = !isRunning;
  $("#import-start").hidden = isRunning;
}

// The main page

function show(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  history.replaceState(null, "", `/${parameters.size ? "?" : ""}${parameters}`);
  connect();
}

const clicks = {
  "button.text": edit,
  ".delete-card": (button) => command(`/cards/${button.closest("[data-card]").dataset.card}/delete`, "Card deleted. Undo brings it back."),
  ".delete-deck": (button) => command(`/decks/${button.closest("[data-deck]").dataset.deck}/delete`, "Deck deleted. Undo brings it back."),
  "#undo": () => command("/undo", "Undone"),
  "#redo": () => command("/redo", "Done again"),
  "#save": () => command("/save", "Saved"),
  "#import-cancel": () => runningImport && command(`/import/${runningImport}/cancel`, "Cancelling"),
};

async function addCard(form) {
  const deck = form.closest("[data-deck]").dataset.deck;
  const [front, back] = [form.elements.front, form.elements.back];
  if (!(await submit(form, "/cards", { deck, front: front.value, back: back.value }))) return;
  front.value = back.value = "";
  [front, back].forEach(fit);
  front.focus();
  say("Card added");
}

async function addDeck(form) {
  const name = form.elements.name;
  if (!(await submit(form, "/decks", { name: name.value }))) return;
  say(`Deck “${name.value.trim()}” added`);
  name.value = "";
}

async function importCards(form) {
  const { file, deck } = form.elements;
  const body = file.files[0];
  clearError(file);
  if (!body) return showError(file, "Choose a file first.");
  if (body.size > 50 * 2 ** 20) return showError(file, "The file is too large: 50 MB at most.");
  if (await submit(form, `/import?deck=${encodeURIComponent(deck.value)}`, null, { body, type: "text/csv" })) form.reset();
}

const submissions = {
  "form.add-card": addCard,
  "#add-deck": addDeck,
  "#import": importCards,
  "form.more": (form) => show({ limit: form.elements.limit.value }),
  ".search": (form) => show({ search: form.elements.search.value.trim(), limit: "" }),
};

function startMainPage() {
  document.addEventListener("click", (event) => {
    const selector = Object.keys(clicks).find((selector) => event.target.closest(selector));
    if (selector) clicks[selector](event.target.closest(selector));
  });
  document.addEventListener("submit", (event) => {
    const selector = Object.keys(submissions).find((selector) => event.target.matches(selector));
    if (!selector) return;
    event.preventDefault();
    submissions[selector](event.target);
  });
  document.addEventListener("focusout", (event) => {
    // With the window in the background the editor is still the active element, and is not left.
    const area = event.target;
    const isLeft = area.matches(".editor") && area.isConnected && !isPatching && document.activeElement !== area;
    // What was refused is sent again only when a person has changed it, or says so.
    if (isLeft && area.value !== area.dataset.refused) keep(area, false);
  });
  let pause;
  document.addEventListener("input", (event) => {
    if (event.target.matches("textarea")) fit(event.target);
    if (event.target.id !== "search") return;
    clearTimeout(pause);
    pause = setTimeout(() => show({ search: event.target.value.trim(), limit: "" }), 150);
  });
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (target.matches(".editor")) {
      if (key === "Escape") return close(target, true);
      // A name has one line.
      if (key !== "Enter" || !(isCommand || target.dataset.field === "name")) return;
      event.preventDefault();
      return void keep(target, true);
    }
    if (target.matches("textarea") && key === "Enter" && isCommand) return target.form.requestSubmit();
    if (target.matches("input, textarea, select, dialog *") || event.altKey) return;
    const action = isCommand
      ? { z: () => $(event.shiftKey ? "#redo" : "#undo").click() }[key.toLowerCase()]
      : {
          "/": () => $("#search").select(),
          n: () => $("form.add-card textarea")?.focus(),
          "?": () => $("#keys").showModal(),
        }[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

// The study page

async function nextQuestion() {
  const response = await fetch(location.href).catch(() => undefined);
  if (!response) return;
  const next = $("main", new DOMParser().parseFromString(await response.text(), "text/html"));
  if (!next || next.innerHTML === main.innerHTML) return;
  main.replaceChildren(...next.childNodes);
  $("#show")?.focus();
}

function showAnswer() {
  $("#answer").hidden = $("#again").hidden = $("#good").hidden = false;
  $("#show").hidden = true;
  $("#good").focus();
}

async function answer(answer) {
  for (const button of $$(".answers button")) button.disabled = true;
  await command(`/cards/${$("[data-card]").dataset.card}/answer`, "", { answer });
  await nextQuestion();
  for (const button of $$(".answers button")) button.disabled = false;
}

function startStudyPage() {
  const actions = { show: showAnswer, again: () => answer("again"), good: () => answer("good") };
  document.addEventListener("click", (event) => actions[event.target.closest("button")?.id]?.());
  document.addEventListener("keydown", (event) => {
    const id = { " ": "show", 1: "again", 2: "good" }[event.key];
    const button = id && document.getElementById(id);
    if (!button || button.hidden || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    event.preventDefault();
    button.click();
  });
  $("#show")?.focus();
}

if (isStudy) startStudyPage();
else startMainPage();
connect(document.body.dataset.version);
addEventListener("pagehide", () => source.close());
addEventListener("pageshow", (event) => event.persisted && connect());
