/** Prints backup codes on a page of their own; style.css hides the rest of the window from the printer. */
export function printCodes(codes: readonly string[], account: string): void {
  const sheet = document.createElement('section')
  sheet.className = 'print-sheet'
  const title = document.createElement('h1')
  title.textContent = `Backup codes of ${account}`
  const note = document.createElement('p')
  note.textContent = `Printed on ${new Date().toLocaleDateString()}. Each code is good once.`
  const list = document.createElement('ul')
  for (const code of codes) {
    const item = document.createElement('li')
    item.textContent = code
    list.append(item)
  }
  sheet.append(title, note, list)
  document.body.append(sheet)
  try {
    window.print()
  } finally {
    sheet.remove()
  }
}
