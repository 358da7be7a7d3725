// Optional improvements: every page works without scripts.
for (const picture of document.querySelectorAll('img[data-picture]')) {
  const replace = () => {
    const missing = document.createElement('span')
    missing.className = 'picture-missing'
    if (picture.alt) {
      missing.setAttribute('role', 'img')
      missing.setAttribute('aria-label', picture.alt)
    }
    picture.replaceWith(missing)
  }
  if (picture.complete && picture.naturalWidth === 0 && picture.getAttribute('loading') !== 'lazy') replace()
  else picture.addEventListener('error', replace, { once: true })
}

// Keeps empty fields out of search URLs.
for (const form of document.querySelectorAll('form[data-search]')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
}

for (const form of document.querySelectorAll('form[data-autosubmit]')) {
  form.querySelector('[data-without-script]')?.remove()
  form.addEventListener('change', () => form.requestSubmit())
}

// The back link returns to the last search, with its filters.
const RESULTS = 'lonja-results'
// Storage may be blocked, always in a frame on another site.
const memory = (() => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
})()
if (/^(\/en)?\/propiedades\/?$/.test(location.pathname)) {
  memory?.setItem(RESULTS, location.pathname + location.search)
}
const back = document.querySelector('a[data-back]')
const results = memory?.getItem(RESULTS)
if (back && results?.startsWith('/en/') === location.pathname.startsWith('/en/')) back.href = results

for (const gallery of document.querySelectorAll('[data-gallery]')) {
  const row = gallery.querySelector('.gallery-row')
  const figures = [...row.children]
  if (figures.length < 2) continue
  const current = () => Math.round(row.scrollLeft / row.clientWidth)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const show = i => {
    const index = (i + figures.length) % figures.length
    row.scrollTo({ left: index * row.clientWidth, behavior: calm ? 'auto' : 'smooth' })
  }
  const button = (text, step, sign) => {
    const element = document.createElement('button')
    element.type = 'button'
    element.className = `gallery-step is-${step > 0 ? 'next' : 'previous'}`
    element.setAttribute('aria-label', text)
    element.textContent = sign
    element.addEventListener('click', () => show(current() + step))
    return element
  }
  const counter = document.createElement('p')
  counter.className = 'gallery-counter'
  const count = () => {
    counter.textContent = `${current() + 1} / ${figures.length}`
  }
  row.addEventListener('scroll', count, { passive: true })
  row.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    show(current() + step)
  })
  row.after(button(gallery.dataset.previous, -1, '‹'), button(gallery.dataset.next, 1, '›'), counter)
  count()
}
