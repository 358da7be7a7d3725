// The photos of a listing full-screen: swipe, pinch (the browser's own), arrow keys. Without scripts each photo is a link.
{
  const gallery = document.querySelector('[data-gallery]')
  const links = gallery ? [...gallery.querySelectorAll('[data-photo]')] : []
  const { next, previous, close, zoom } = gallery?.dataset ?? {}
  const make = (tag, className, attributes = {}) =>
    Object.assign(document.createElement(tag), { className, ...attributes })

  const dialog = make('dialog', 'viewer', { ariaLabel: gallery?.getAttribute('aria-label') })
  const row = make('div', 'viewer-row', { tabIndex: 0, role: 'group' })
  row.setAttribute('aria-label', dialog.ariaLabel)
  const counter = make('p', 'viewer-counter')
  counter.setAttribute('aria-live', 'polite')
  const slides = links.map(link => {
    const slide = make('div', 'viewer-slide')
    // Loaded when it is about to be seen.
    slide.append(
      make('img', '', {
        loading: 'lazy',
        referrerPolicy: 'no-referrer',
        alt: link.querySelector('img')?.alt ?? '',
        src: link.href,
      }),
    )
    slide.addEventListener('click', () => slide.classList.toggle('is-zoomed'))
    return slide
  })
  const current = () => Math.round(row.scrollLeft / row.clientWidth)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const show = (i, behavior = calm ? 'auto' : 'smooth') => {
    const index = Math.min(Math.max(i, 0), slides.length - 1)
    row.scrollTo({ left: index * row.clientWidth, behavior })
  }
  const button = (className, label, text, act) => {
    const made = make('button', `viewer-button ${className}`, {
      type: 'button',
      ariaLabel: label,
      title: label,
    })
    made.textContent = text
    made.addEventListener('click', act)
    return made
  }
  let shown = -1
  const follow = () => {
    if (current() === shown) return
    slides[shown]?.classList.remove('is-zoomed')
    shown = current()
    counter.textContent = `${shown + 1} / ${slides.length}`
  }
  row.addEventListener('scroll', follow, { passive: true })
  dialog.addEventListener('keydown', event => {
    const target = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: slides.length - 1 }[event.key]
    if (event.key === '+' || event.key === '-') slides[shown].classList.toggle('is-zoomed', event.key === '+')
    if (target === undefined) return
    event.preventDefault()
    show(target)
  })

  // The back button of a phone closes the viewer instead of leaving the page.
  const open = i => {
    if (!dialog.isConnected) document.body.append(dialog)
    dialog.showModal()
    history.pushState({ viewer: true }, '')
    show(i, 'auto')
    follow()
    row.focus()
  }
  addEventListener('popstate', () => dialog.close())
  dialog.addEventListener('close', () => {
    if (history.state?.viewer) history.back()
  })

  if (links.length > 0) {
    row.append(...slides)
    dialog.append(
      row,
      counter,
      button('is-zoom', zoom, '+', () => slides[shown].classList.toggle('is-zoomed')),
      button('is-close', close, '×', () => dialog.close()),
    )
    if (links.length > 1)
      dialog.append(
        button('is-previous', previous, '‹', () => show(shown - 1)),
        button('is-next', next, '›', () => show(shown + 1)),
      )
    links.forEach((link, i) => {
      link.addEventListener('click', event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        open(i)
      })
    })
    const all = gallery.querySelector('[data-all-photos]')
    if (all) {
      all.hidden = false
      all.addEventListener('click', () => open(0))
    }
  }
}
