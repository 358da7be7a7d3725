// Puts a frame of Lonja where its script tag stands. What is inside cannot touch the page around it, nor the other way
// round: all that passes between them is how tall the frame is.
;(() => {
  const script = document.currentScript
  const id = script?.dataset.widget
  if (!id) return
  const { origin } = new URL(script.src)
  const theme = script.dataset.theme ? `?theme=${encodeURIComponent(script.dataset.theme)}` : ''

  const frame = document.createElement('iframe')
  frame.title = script.dataset.title ?? 'Lonja'
  frame.loading = 'lazy'
  // Tells Lonja which site this is, and nothing of the page.
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
  // Where the widget may not be shown the browser leaves the frame empty: better none at all.
  frame.addEventListener('load', () => {
    setTimeout(() => {
      if (hasAnswered) return
      frame.style.display = 'none'
      console.warn(`Lonja: the widget ${id} is switched off, or ${location.host} is not among its domains.`)
    }, 3_000)
  })
  frame.src = `${origin}/widget/${encodeURIComponent(id)}${theme}`

  // In the head there is no place to stand, and it may run before or after there is a body.
  const stand = () => document.body.append(frame)
  if (!script.closest('head')) script.after(frame)
  else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', stand)
  else stand()
})()
