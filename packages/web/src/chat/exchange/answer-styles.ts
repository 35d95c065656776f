// Styles of the greeting, questions, and answers in Markdown.
import { css } from 'lit'

export const answerStyles = css`
  .greeting {
    margin-top: auto;
    display: grid;
    gap: 8px;
    padding-bottom: 6px;
  }
  .greeting h3 {
    font-size: 20px;
    font-weight: 800;
    line-height: 1.4;
    letter-spacing: 0.01em;
  }
  .greeting p {
    color: var(--faint);
  }
  .suggestions {
    display: grid;
    gap: 8px;
    margin-top: 8px;
  }
  .suggestion {
    width: 100%;
    padding: 10px 14px;
    border: 1px solid var(--line);
    border-radius: 14px;
    background: var(--raised);
    text-align: start;
    line-height: 1.5;
  }
  .suggestion:hover {
    border-color: var(--faint);
  }
  .markdown .plain {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .exchange {
    display: grid;
    align-content: start;
    gap: 14px;
  }
  /* Room below a short answer, so that its question can stand at the top. */
  .exchange:last-of-type {
    flex: none;
    min-height: 100%;
  }
  .follow-ups {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    padding-bottom: 6px;
  }
  .follow-up {
    min-height: 44px;
    padding: 9px 16px;
    border: 1px solid var(--fill);
    border-radius: 22px;
    background: var(--raised);
    color: var(--link);
    font-weight: 600;
    font-size: 14px;
    line-height: 1.5;
    text-align: start;
    overflow-wrap: anywhere;
  }
  .follow-up:hover {
    background: var(--yours);
  }
  .question {
    position: relative;
    justify-self: end;
    max-width: 86%;
    padding: 9px 15px;
    border-radius: 18px 18px 4px 18px;
    background: var(--yours);
  }
  .question p {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .answer {
    display: grid;
    gap: 10px;
    min-width: 0;
  }
  .markdown {
    overflow-wrap: anywhere;
    line-break: strict;
    word-break: auto-phrase;
  }
  .markdown > :first-child {
    margin-top: 0;
  }
  .markdown > :last-child {
    margin-bottom: 0;
  }
  .markdown :is(p, ul, ol, pre, blockquote, table) {
    margin: 0 0 10px;
  }
  .markdown :is(h3, h4, h5, h6) {
    margin: 16px 0 6px;
    font-size: 16px;
    font-weight: 700;
    line-height: 1.5;
  }
  .markdown :is(ul, ol) {
    padding-inline-start: 22px;
  }
  .markdown ul {
    list-style: disc;
  }
  .markdown li {
    margin: 3px 0;
  }
  .markdown li > :is(p, ul, ol) {
    margin-bottom: 4px;
  }
  .markdown :is(strong, th) {
    font-weight: 700;
  }
  .markdown a[href] {
    color: var(--link);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .markdown :is(code, pre) {
    font-family: ui-monospace, Menlo, Consolas, monospace;
    font-size: 13px;
    background: color-mix(in srgb, var(--ink) 7%, transparent);
    border-radius: 6px;
  }
  .markdown code {
    padding: 1px 5px;
  }
  .markdown pre {
    padding: 10px 12px;
    overflow-x: auto;
  }
  .markdown pre code {
    padding: 0;
    background: none;
  }
  .markdown blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--line);
    color: var(--faint);
  }
  .markdown table {
    display: block;
    overflow-x: auto;
    border-collapse: collapse;
    font-size: 13.5px;
  }
  .markdown :is(th, td) {
    padding: 5px 10px;
    border: 1px solid var(--line);
    text-align: start;
  }
  .markdown hr {
    border: 0;
    border-top: 1px solid var(--line);
    margin: 14px 0;
  }
  .waiting {
    display: flex;
    align-items: center;
    gap: 10px;
    color: var(--faint);
    font-size: 14px;
  }
  .dots {
    display: inline-flex;
    gap: 4px;
  }
  .dots i {
    width: 7px;
    height: 7px;
    border-radius: 50%;
    background: var(--fill);
    animation: beat 1.2s infinite ease-in-out;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes beat {
    0%,
    60%,
    100% {
      opacity: 0.3;
    }
    30% {
      opacity: 1;
    }
  }
  .end {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    font-size: 13.5px;
    color: var(--faint);
  }
  .retry {
    min-height: 44px;
    padding: 5px 14px;
    border: 1px solid var(--faint);
    border-radius: 16px;
    color: var(--ink);
    font-weight: 600;
  }
`
