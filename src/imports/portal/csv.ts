/** What a spreadsheet would run as a formula; numbers, points and phones are harmless. */
const FORMULA = /^[=@\t\r＝＋－＠]|^[+-](?![\d.,\s]*$)/

/** RFC 4180. The apostrophe that makes a formula a text is taken off when the file is sent again. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`
