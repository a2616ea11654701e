"use strict";
// The address behind # says what is shown: rack/NAME, device/NAME, cable/NAME, lose/KIND/NAME; nothing is the plan of the halls.
const data = JSON.parse(document.getElementById("data").textContent);
const { devices, cables, words, racks } = data;
const word = (number) => words[number];
const byName = (names) => new Map(names.map((name, at) => [name, at]));
const rackAt = byName(racks.map((rack) => rack[0])), deviceAt = byName(devices.name), cableAt = byName(cables.name);
const ofRack = racks.map(() => []), ofDevice = devices.name.map(() => []);
devices.rack.forEach((rack, at) => ofRack[rack].push(at));
cables.name.forEach((_, at) => { for (const end of ["a", "b"]) if (cables[end][at] >= 0) ofDevice[cables[end][at]].push(at); });
const byId = (id) => document.getElementById(id);

function html(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function drawn(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
const address = (...steps) => "#" + steps.map(encodeURIComponent).join("/");
const link = (text, ...steps) => html("a", { href: address(...steps) }, text);
function shape(name, attributes, title, ...steps) {
  const element = drawn(name, attributes);
  element.append(drawn("title", {}, title));
  if (steps.length) element.addEventListener("click", () => { location.hash = address(...steps); });
  return element;
}

// Places of racks on the plan, hall below hall.
const WIDE = 30, HIGH = 44, AISLE = 30;
const hallTop = new Map();
let planWidth = 200, planHeight = 10;
for (const [name, rows, length] of data.halls) {
  hallTop.set(name, planHeight);
  planWidth = Math.max(planWidth, length * WIDE + 40);
  planHeight += 40 + rows * (HIGH + AISLE);
}
const spot = (rack) => ({ x: 20 + (rack[3] - 1) * WIDE, y: hallTop.get(rack[1]) + 28 + (rack[2] - 1) * (HIGH + AISLE) });

function plan(marks = new Map(), path = []) {
  const svg = drawn("svg", { viewBox: `0 0 ${planWidth} ${planHeight}`, role: "img" });
  for (const [name, rows, length] of data.halls) {
    const top = hallTop.get(name);
    svg.append(drawn("rect", { class: "hall", x: 8, y: top + 18, width: length * WIDE + 24, height: rows * (HIGH + AISLE) - AISLE + 20 }));
    svg.append(drawn("text", { class: "name", x: 10, y: top + 12 }, name));
    if (rows * length <= 4000) for (let row = 0; row < rows; row++) for (let at = 0; at < length; at++)
      svg.append(drawn("rect", { class: "place", x: 21 + at * WIDE, y: top + 28 + row * (HIGH + AISLE), width: WIDE - 2, height: HIGH }));
  }
  racks.forEach((rack) => {
    const { x, y } = spot(rack);
    const kilowatts = (rack[5] / 1000).toFixed(1);
    svg.append(shape("rect", { class: `rack ${marks.get(rack[0]) || ""}`, x: x + 1, y, width: WIDE - 2, height: HIGH, "data-rack": rack[0] }, `${rack[0]}: ${kilowatts} kW`, "rack", rack[0]));
    const letters = marks.get(rack[0]) === "down" ? "small on" : "small";
    svg.append(drawn("text", { class: letters, x: x + 3, y: y + 8 }, rack[0].length > 11 ? rack[0].slice(0, 10) + "…" : rack[0]));
    svg.append(drawn("text", { class: letters, x: x + 3, y: y + 15 }, `${kilowatts} kW`));
  });
  if (path.length === 2) {
    const [a, b] = path.map((rack) => spot(racks[rack]));
    const lane = Math.min(a.y, b.y) - 8;
    svg.append(drawn("path", { class: "cable", d: `M ${a.x + WIDE / 2} ${a.y} V ${lane} H ${b.x + WIDE / 2} V ${b.y}` }));
  }
  return zoomable(svg);
}

function zoomable(svg) {
  let [x, y, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  let held = null;
  const apply = () => svg.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
  const scale = () => Math.max(wide / svg.clientWidth, high / svg.clientHeight);
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const by = event.deltaY > 0 ? 1.2 : 1 / 1.2, box = svg.getBoundingClientRect();
    const px = (event.clientX - box.left) / box.width, py = (event.clientY - box.top) / box.height;
    x += wide * px * (1 - by); y += high * py * (1 - by); wide *= by; high *= by;
    apply();
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; });
  svg.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons) return;
    x -= (event.clientX - held[0]) * scale(); y -= (event.clientY - held[1]) * scale();
    held = [event.clientX, event.clientY];
    apply();
  });
  return svg;
}

const portsOf = (device) => ofDevice[device].map((cable) => {
  const end = cables.a[cable] === device ? "a" : "b", far = end === "a" ? "b" : "a";
  return { cable, port: word(cables[`${end}_port`][cable]), far: cables[far][cable], farPort: word(cables[`${far}_port`][cable]) };
});

function elevation(rack, here = -1) {
  const [name, , , , units] = racks[rack], U = 16, W = 330;
  const svg = drawn("svg", { viewBox: `0 0 ${W + 60} ${units * U + 40}`, role: "img" });
  svg.append(drawn("text", { class: "name", x: 30, y: 16 }, name));
  svg.append(drawn("rect", { class: "hall", x: 28, y: 24, width: W + 4, height: units * U + 4 }));
  for (let unit = 1; unit <= units; unit++) svg.append(drawn("text", { class: "small", x: 14, y: 26 + (units - unit + 1) * U - 5 }, unit));
  for (const device of ofRack[rack]) {
    const high = devices.high[device] * U, y = 26 + (units - devices.unit[device] + 1) * U - high;
    svg.append(shape("rect", { class: `device ${device === here ? "here" : ""}`, x: 30, y: y + 0.5, width: W, height: high - 1, "data-device": devices.name[device] },
      `${devices.name[device]}, ${word(devices.sku[device])}`, "device", devices.name[device]));
    svg.append(drawn("text", { x: 34, y: y + 10 }, devices.name[device]));
    const ports = portsOf(device), lines = Math.max(1, Math.floor(high / 7)), step = Math.min(7, 200 / Math.ceil(ports.length / lines));
    ports.forEach((port, at) => svg.append(shape("rect",
      { class: "port", x: 140 + Math.floor(at / lines) * step, y: y + 2 + (at % lines) * 6.5, width: step * 0.85, height: 5, "data-cable": cables.name[port.cable] },
      `${port.port} to ${devices.name[port.far] || "?"} ${port.farPort}`, "cable", cables.name[port.cable])));
  }
  return zoomable(svg);
}

function what(kind, name) {
  return data.losses[`${kind} ${name}`] === undefined ? html("span") : html("p", {}, link(`What if ${name} is lost?`, "lose", kind, name));
}
function list(title, entries) {
  return entries.length ? [html("h2", {}, `${title} (${entries.length.toLocaleString("en")})`), html("ul", {}, ...entries.slice(0, 400).map((entry) => html("li", {}, entry)))] : [];
}
function table(rows) {
  return html("table", {}, ...rows.map((row) => html("tr", {}, ...row.map((cell) => html("td", {}, cell)))));
}
function show(picture, ...panel) {
  byId("picture").replaceChildren(picture);
  byId("panel").replaceChildren(...panel.flat());
}
function crumbs(...steps) {
  byId("crumbs").replaceChildren(...steps.flatMap((step) => [" › ", step]));
}

function showPlan() {
  crumbs();
  const note = data.left_out ? [html("p", { class: "bad" }, `This site has ${data.left_out.toLocaleString("en")} cables, too many for a page; rackwright cables lists them.`)] : [];
  show(plan(), html("h2", {}, "Halls"), html("p", {}, `${racks.length.toLocaleString("en")} racks, ${devices.name.length.toLocaleString("en")} devices, ${(data.left_out || cables.name.length).toLocaleString("en")} cables. Click a rack; turn the wheel to zoom, drag to move.`),
    note, list("What if it is lost? Feeds", data.feeds.map((feed) => link(`feed ${feed}`, "lose", "feed", feed))),
    list("Halls", data.halls.filter(([name]) => `hall ${name}` in data.losses).map(([name]) => link(`hall ${name}`, "lose", "hall", name))));
}
function showRack(name) {
  const rack = rackAt.get(name), [, hall, row, position, units, watts] = racks[rack];
  crumbs(hall, link(name, "rack", name));
  show(elevation(rack), html("h2", {}, name), html("p", {}, `${hall}, row ${row}, position ${position}; ${units}U; ${(watts / 1000).toFixed(1)} kW at peak`),
    what("rack", name), list("Devices", ofRack[rack].map((at) => link(devices.name[at], "device", devices.name[at]))));
}
function showDevice(name) {
  const device = deviceAt.get(name), rack = devices.rack[device], ports = portsOf(device);
  crumbs(racks[rack][1], link(racks[rack][0], "rack", racks[rack][0]), link(name, "device", name));
  show(elevation(rack, device), html("h2", {}, name), html("p", {}, `${word(devices.sku[device])}, ${word(devices.role[device])}; unit ${devices.unit[device]} of ${racks[rack][0]}`),
    what("switch", name), html("h2", {}, `Ports with a cable (${ports.length})`),
    table(ports.map((port) => [link(port.port, "cable", cables.name[port.cable]), word(cables.fabric[port.cable]), html("span", {}, link(devices.name[port.far] || "?", "device", devices.name[port.far] || ""), ` ${port.farPort}`)])));
}
function showCable(name) {
  const cable = cableAt.get(name), ends = ["a", "b"].map((end) => ({ device: cables[end][cable], port: word(cables[`${end}_port`][cable]) }));
  crumbs(link(name, "cable", name));
  const place = ({ device, port }) => {
    const rack = racks[devices.rack[device]];
    return [[html("strong", {}, link(devices.name[device], "device", devices.name[device])), `port ${port}`],
      ["", html("span", {}, `${rack[1]}, row ${rack[2]}, position ${rack[3]}, rack `, link(rack[0], "rack", rack[0]), `, unit ${devices.unit[device]}`)]];
  };
  const marks = new Map(ends.map((end) => [racks[devices.rack[end.device]][0], "here"]));
  show(plan(marks, ends.map((end) => devices.rack[end.device])), html("h2", {}, `Cable ${name}`),
    table([...place(ends[0]), ["cable", `${word(cables.sku[cable])}, ${cables.meters[cable] ?? "?"} m, ${cables.gbps[cable]} Gb/s, fabric ${word(cables.fabric[cable])}`], ...place(ends[1])]));
}
function affected(down) {
  // Direct losses alone: a node with no link left on a fabric is cut off, one with fewer is slowed. What follows behind the leaves stands in the sentences.
  const links = new Map();
  cables.name.forEach((_, cable) => {
    for (const [near, far] of [["a", "b"], ["b", "a"]]) {
      const device = cables[near][cable];
      if (device < 0 || down.has(device) || word(devices.kind[device]) !== "server") continue;
      const key = `${device} ${cables.fabric[cable]}`, count = links.get(key) || [0, 0];
      links.set(key, [count[0] + 1, count[1] + (down.has(cables[far][cable]) ? 1 : 0)]);
    }
  });
  const cut = new Set(), slow = new Set();
  for (const [key, [all, lost]] of links) if (lost) (lost === all ? cut : slow).add(Number(key.split(" ")[0]));
  for (const device of cut) slow.delete(device);
  return { cut, slow };
}
function showLoss(kind, name) {
  const [of, says, survives, downOf] = data.answers[data.losses[`${kind} ${name}`]], alike = of !== `${kind} ${name}`;
  const down = new Set(!alike ? downOf : kind === "rack" ? ofRack[rackAt.get(name)] : [deviceAt.get(name)]);
  const { cut, slow } = affected(down), marks = new Map();
  for (const [group, mark] of [[slow, "slow"], [cut, "cut"], [down, "down"]]) for (const device of group) marks.set(racks[devices.rack[device]][0], mark);
  crumbs(link(`without ${kind} ${name}`, "lose", kind, name));
  const named = (group) => [...group].map((device) => link(devices.name[device], "device", devices.name[device]));
  const key = html("p", { class: "key" });
  for (const [mark, text] of [["bad", "down"], ["cut", "cut off from a fabric"], ["slow", "fewer links"]]) key.append(html("span", { style: `background: var(--${mark})` }), text);
  show(plan(marks), html("h2", {}, `Without ${kind} ${name}`), html("p", survives ? {} : { class: "bad" }, survives ? "Nothing is lost that was promised." : "Nodes or promises are lost."),
    alike ? html("p", { class: "soft" }, `Computed for ${of}, which is wired alike.`) : "", html("ul", { id: "says" }, ...says.map((sentence) => html("li", {}, sentence))), key,
    list("Down", named(down)), list("Cut off from a fabric", named(cut)), list("Fewer links", named(slow)));
}

function route() {
  const [page, ...names] = location.hash.slice(1).split("/").map(decodeURIComponent);
  if (page === "rack" && rackAt.has(names[0])) showRack(names[0]);
  else if (page === "device" && deviceAt.has(names[0])) showDevice(names[0]);
  else if (page === "cable" && cableAt.has(names[0])) showCable(names[0]);
  else if (page === "lose" && data.losses[names.join(" ")] !== undefined) showLoss(names[0], names[1]);
  else showPlan();
}
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("words").value.trim();
  const kind = rackAt.has(text) ? "rack" : deviceAt.has(text) ? "device" : cableAt.has(text) ? "cable" : "";
  if (kind) location.hash = address(kind, text);
  else byId("words").setCustomValidity(`${data.site} has no rack, device or cable ${text}`), byId("words").reportValidity();
});
byId("words").addEventListener("input", () => byId("words").setCustomValidity(""));
for (const name of [...rackAt.keys(), ...devices.name].slice(0, 5000)) byId("names").append(html("option", { value: name }));
window.addEventListener("hashchange", route);
route();
