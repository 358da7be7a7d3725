// Inserts a Lonja frame at its script tag. Frame and page are isolated from each other: the only message between them is
// the height of the frame.
;(() => {
  const script = document.currentScript
  const id = script?.dataset.widget
  if (!id) return
  const { origin } = new URL(script.src)
  const theme = script.dataset.theme ? `?theme=${encodeURIComponent(script.dataset.theme)}` : ''

  const frame = document.createElement('iframe')
  frame.title = script.dataset.title ?? 'Lonja'
  frame.loading = 'lazy'
  // Lonja learns which site embeds the widget, but not which page.
  frame.referrerPolicy = 'origin'
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  Object.assign(frame.style, { display: 'block', width: '100%', height: '480px', border: '0' })

  let hasAnswered = false
  addEventListener('message', event => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const height = Number(event.data?.lonjaHeight)
    if (!(height > 0)) return
    hasAnswered = true
    frame.style.display = 'block'
    frame.style.height = `${Math.min(Math.ceil(height), 30_000)}px`
  })
  // Where the widget is not allowed, the browser shows an empty frame: hide it.
  frame.addEventListener('load', () => {
    setTimeout(() => {
      if (hasAnswered) return
      frame.style.display = 'none'
      console.warn(`Lonja: the widget ${id} is switched off, or ${location.host} is not among its domains.`)
    }, 3_000)
  })
  frame.src = `${origin}/widget/${encodeURIComponent(id)}${theme}`

  // A script in the head cannot have a frame after it, and may run before or after the body exists.
  const append = () => document.body.append(frame)
  if (!script.closest('head')) script.after(frame)
  else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', append)
  else append()
})()
