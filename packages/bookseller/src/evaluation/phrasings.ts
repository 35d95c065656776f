// Ways in which shoppers ask what an entry of the FAQ answers, as in `training/faq` and `evaluation/faq`: a line each, after
// `## id`. Other lines that begin with `#` are comments.
export function phrasingsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let current: string[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line.startsWith('## ')) found.set(line.slice(3), (current = []))
    else if (line !== '' && !line.startsWith('#')) current.push(line)
  }
  return found
}
