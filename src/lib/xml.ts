export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n'

export const escaped = (text: string): string =>
  text
    // XML 1.0 cannot represent these characters.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
