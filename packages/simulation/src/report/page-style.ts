// The style sheet of the report's page, for screen, phone, dark mode and paper. The colours are distinguishable for
// colour-blind readers (after Okabe and Ito), and every line also has its own stroke.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f7f9; --card: #ffffff; --ink: #18212b; --soft: #5a6775; --rule: #d9dfe6; --grid: #e8ecf0;
  --faults: #f3e3c3; --faults-ink: #7a5510; --alarm: #a3122a; --alarm-paper: #fdecee; --best: #e6f1f9;
  --c0: #005f9e; --c1: #cf4f00; --c2: #007d5b; --c3: #a4508b; --c4: #8a6d00; --c5: #4b4f57; --crowd: #c3ccd6;
  --normal: #b9c6cf; --slight: #e3bf2f; --high: #e07b1a; --recovery: #4d94d0; --open: #97152c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #10151b; --card: #182029; --ink: #e8edf2; --soft: #9dabb9; --rule: #2e3a46; --grid: #25303b;
    --faults: #3a2f18; --faults-ink: #e3bd6c; --alarm: #ff8c9b; --alarm-paper: #3a1720; --best: #17364c;
    --c0: #5db7f2; --c1: #ff8f4d; --c2: #37cba0; --c3: #e79ccb; --c4: #e6cf5a; --c5: #b9c2cc; --crowd: #46535f;
    --normal: #4a5865; --slight: #d8b83a; --high: #ec8b33; --recovery: #62abe6; --open: #e2425f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 64px; }
.eyebrow { margin: 0; color: var(--soft); font-size: 13px; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: 4px 0 8px; font-size: 32px; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 56px 0 4px; font-size: 26px; line-height: 1.25; letter-spacing: -.01em; }
h3 { margin: 0; font-size: 17px; }
h4 { margin: 0; font-size: 14px; }
p { margin: 0 0 12px; }
.facts, .note { color: var(--soft); font-size: 14px; }
.note { margin: 2px 0 0; max-width: 110ch; }
.scroll + .note { margin-top: 12px; }
nav ul, .legend, .story { list-style: none; margin: 0; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 12px; font-size: 15px; }
a { color: var(--c0); }
.headline { margin: 18px 0 20px; }
.headline p { margin: 0 0 6px; color: var(--soft); max-width: 92ch; }
.headline p:first-child { color: var(--ink); font-size: 21px; line-height: 1.4; margin-bottom: 10px; }
.headline b { color: var(--ink); }
.key { display: inline-block; width: 10px; height: 10px; margin-right: 8px; border-radius: 3px; }
.card { margin: 16px 0; padding: 18px 20px; border: 1px solid var(--rule); border-radius: 10px; background: var(--card);
  break-inside: avoid; }
.multiples { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 14px 28px; margin-top: 12px; }
.frame { padding: 36px 14px 42px 48px; }
.tall { height: 262px; }
.short { height: 218px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 8px; font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 7px; }
.swatch { flex: none; }
svg.plot, svg.plot svg { display: block; overflow: visible; }
.plot text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.multiples .odd { display: none; }
.plot .band-label { fill: var(--ink); font-size: 13px; }
.plot .faults-label { fill: var(--faults-ink); font-weight: 600; }
.faults { fill: var(--faults); opacity: .62; }
.grid { stroke: var(--grid); }
.base { stroke: var(--soft); stroke-opacity: .6; }
.stroke { fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.area { fill: currentColor; }
.crowd { color: var(--crowd); opacity: .75; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); }
.c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); }
.stroke.c0 { stroke-width: 2.6; } .stroke.c2 { stroke-dasharray: 7 3; } .stroke.c3 { stroke-width: 2; stroke-dasharray: 3 2; }
.stroke.c4 { stroke-dasharray: 9 3 2 3; } .stroke.c5 { stroke-dasharray: 4 4; }
.key.c0, .key.c1, .key.c2, .key.c3, .key.c4, .key.c5 { background: currentColor; }
.area.flight { opacity: .34; }
.stroke.limit { color: var(--ink); stroke-width: 1.6; }
.stroke.k1 { stroke-dasharray: 6 3; } .stroke.k2 { stroke-dasharray: 2 3; } .stroke.k3 { stroke-dasharray: 9 3 2 3; }
.stroke.k4 { stroke-dasharray: 12 4; } .stroke.k5 { stroke-dasharray: 1 5; }
.l-normal { fill: var(--normal); } .l-slight { fill: var(--slight); } .l-high { fill: var(--high); }
.l-recovery { fill: var(--recovery); } .l-open { fill: var(--open); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.4; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-size: 17px; font-weight: 600; padding-bottom: 8px; }
th, td { padding: 7px 8px; border-top: 1px solid var(--rule); text-align: right; vertical-align: baseline; white-space: nowrap; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; font-size: 13px; white-space: normal; vertical-align: bottom; }
th:first-child { position: sticky; left: 0; background: var(--card); text-align: left; }
tbody th { font-weight: 600; }
tbody th small { display: block; color: var(--soft); font-size: 13px; font-weight: 400; white-space: normal; }
tbody .group { padding-top: 16px; color: var(--ink); font-size: 15px; white-space: normal; }
tbody .group span { color: var(--soft); font-weight: 400; font-size: 13px; }
.figures thead th { min-width: 84px; white-space: nowrap; }
td.best { background: var(--best); font-weight: 700; }
td small { color: var(--soft); font-size: 12px; font-weight: 400; }
.breach { border-color: var(--alarm); background: var(--alarm-paper); }
.breach h3 { color: var(--alarm); }
.breach ul { margin: 8px 0 0; padding-left: 20px; font-size: 14px; }
details + details { margin-top: 10px; }
summary { cursor: pointer; font-weight: 600; }
.story { margin-top: 10px; font-size: 14px; columns: 320px; column-gap: 32px; }
.story li { display: flex; gap: 12px; padding: 2px 0; break-inside: avoid; }
.story time { flex: none; width: 44px; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: minmax(150px, max-content) 1fr; gap: 6px 20px; margin: 10px 0 0; font-size: 14px; }
dt { font-weight: 600; }
dd { margin: 0; color: var(--soft); }
code { font: 12px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; word-break: break-all; }
@media (min-width: 641px) {
  .for-phones { display: none; }
}
@media (max-width: 640px) {
  main { padding: 24px 12px 40px; }
  h1 { font-size: 26px; }
  h2 { font-size: 22px; margin-top: 40px; }
  .headline p:first-child { font-size: 18px; }
  .card { padding: 14px 12px; }
  .plot .odd { display: none; }
  .frame { padding-left: 44px; padding-right: 10px; }
  .tall { height: 240px; }
  .figures small { display: none; }
  .figures thead th { min-width: 64px; }
  th, td { padding: 7px 6px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
}
@media print, (max-width: 1000px) {
  .comparison td small { display: block; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --card: #ffffff; --ink: #000000; --soft: #444444; --rule: #bbbbbb; --grid: #e4e4e4;
    --faults: #f3e3c3; --faults-ink: #7a5510; --alarm: #a3122a; --alarm-paper: #ffffff; --best: #e6f1f9;
    --c0: #005f9e; --c1: #cf4f00; --c2: #007d5b; --c3: #a4508b; --c4: #8a6d00; --c5: #4b4f57; --crowd: #c3ccd6;
    --normal: #b9c6cf; --slight: #e3bf2f; --high: #e07b1a; --recovery: #4d94d0; --open: #97152c;
  }
  body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  nav, .for-phones { display: none; }
  h2 { break-before: page; margin-top: 0; }
  header + section h2 { break-before: auto; }
  .scroll { overflow: visible; }
  .card { break-inside: auto; }
  section.card, tr { break-inside: avoid; }
  table, tbody th small, td small, thead th { font-size: 8pt; }
  th, td { padding: 4px 5px; }
  h2, h3, caption { break-after: avoid; }
}
`
