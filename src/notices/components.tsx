import type { ComponentChildren } from 'preact'
import { type Lang, wordsIn } from '../lib/i18n.ts'

// Mail programs support little CSS and no style sheets, so styles are inline.
// Sized for phones first: most agents read mail there.
const PAGE =
  'margin:0;padding:16px 12px;background:#f4f4f2;font-family:Arial,Helvetica,sans-serif;color:#1f2937'
const CARD = 'max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;padding:20px'
const SMALL = 'font-size:12px;color:#6b7280;line-height:1.5;max-width:560px;margin:16px auto 0'
const TEXT = 'font-size:15px;line-height:1.5;margin:0 0 16px'
const QUOTE =
  'font-size:15px;line-height:1.5;margin:0 0 16px;padding:12px 16px;background:#f4f4f2;border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere'
/** Labels above values; programs that ignore `display` on cells put them side by side. */
const LABEL = 'display:block;padding:0;font-size:13px;line-height:1.4;color:#6b7280;text-align:left'
const VALUE =
  'display:block;font-size:16px;line-height:1.4;padding:0 0 12px;text-align:left;overflow-wrap:anywhere'
const BUTTON =
  'display:block;background:#0d6b70;color:#ffffff;font-size:16px;font-weight:bold;line-height:1.3;text-align:center;text-decoration:none;border-radius:8px;padding:13px 16px'

export interface LayoutProps {
  lang: Lang
  title: string
  /** Why the recipient gets this mail. */
  reason: string
  /** Ends mail of this kind without signing in. */
  unsubscribeUrl?: string
  children: ComponentChildren
}

export const Layout = ({ lang, title, reason, unsubscribeUrl, children }: LayoutProps) => (
  <html lang={lang}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>{title}</title>
    </head>
    <body style={PAGE}>
      <div style={CARD}>
        <h1 style="font-size:20px;line-height:1.3;margin:0 0 16px">{title}</h1>
        {children}
      </div>
      <p style={SMALL}>{reason}</p>
      {unsubscribeUrl && (
        <p style={SMALL}>
          <Link href={unsubscribeUrl}>
            {wordsIn(lang)('Dejar de recibir estos correos', 'Stop these emails')}
          </Link>
        </p>
      )}
    </body>
  </html>
)

export const Text = ({ children }: { children: ComponentChildren }) => <p style={TEXT}>{children}</p>

export const Quote = ({ children }: { children: ComponentChildren }) => (
  <blockquote style={QUOTE}>{children}</blockquote>
)

/** Only for URLs we generate: they are not checked for code. */
export const Link = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a href={href} style="color:#1d4ed8">
    {children}
  </a>
)

/** What to do next. Only for URLs we generate, as Link. */
export const Button = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <div style="margin:0 0 12px">
    <a href={href} style={BUTTON}>
      {children}
    </a>
  </div>
)

export const Facts = ({ rows }: { rows: [string, ComponentChildren][] }) => (
  <table role="presentation" style="border-collapse:collapse;width:100%;margin:0 0 8px">
    {rows.map(([label, value]) => (
      <tr>
        <td style={LABEL}>{label}</td>
        <td style={VALUE}>{value}</td>
      </tr>
    ))}
  </table>
)

export const List = ({ items }: { items: ComponentChildren[] }) => (
  <ul style="font-size:15px;line-height:1.6;margin:0 0 16px;padding-left:20px">
    {items.map(item => (
      <li>{item}</li>
    ))}
  </ul>
)
