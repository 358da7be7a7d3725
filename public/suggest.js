// Completes search boxes while people type, as a combobox. Without this script they are plain boxes.
{
  const SHORTEST = 2
  const PAUSE_MS = 120
  const isEnglish = document.documentElement.lang.startsWith('en')
  const isPortal = location.pathname.startsWith('/portal')
  const t = (es, en) => (isEnglish ? en : es)
  const KINDS = {
    place: t('Lugar', 'Place'),
    type: t('Tipo', 'Type'),
    amenity: t('Amenidad', 'Amenity'),
    agent: t('Agente', 'Agent'),
    listing: t('Propiedad', 'Listing'),
  }
  const SITE = t('', '/en')
  // Where a choice leads that is a page, not a search.
  const PAGES = isPortal
    ? { listing: '/portal/market/' }
    : { listing: `${SITE}/propiedades/`, agent: `${SITE}/agentes/` }
  const isUsable = ({ kind, url }) => url === null || kind in PAGES

  const element = (name, className, text = '') => {
    const made = document.createElement(name)
    made.className = className
    made.textContent = text
    return made
  }

  const complete = (input, number) => {
    const list = element('ul', 'suggestions')
    const status = element('p', 'sr-only')
    list.id = `suggestions-${number}`
    list.hidden = true
    list.setAttribute('role', 'listbox')
    list.setAttribute('aria-label', t('Sugerencias', 'Suggestions'))
    status.setAttribute('role', 'status')
    input.form.append(list, status)
    // The browser's own list would cover ours.
    input.autocomplete = 'off'
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': list.id,
    }))
      input.setAttribute(name, value)

    let shown = []
    let active = -1
    let timer
    let request

    const place = () => {
      const { left, bottom, width } = input.getBoundingClientRect()
      Object.assign(list.style, {
        left: `${left}px`,
        top: `${bottom + 4}px`,
        width: `${width}px`,
      })
    }
    const mark = index => {
      active = index
      for (const [i, option] of [...list.children].entries())
        option.setAttribute('aria-selected', String(i === active))
      const option = list.children[active]
      if (option) {
        input.setAttribute('aria-activedescendant', option.id)
        option.scrollIntoView({ block: 'nearest' })
      } else input.removeAttribute('aria-activedescendant')
    }
    const close = () => {
      clearTimeout(timer)
      request?.abort()
      list.hidden = true
      input.setAttribute('aria-expanded', 'false')
      mark(-1)
    }
    const choose = ({ kind, text, url }) => {
      close()
      if (url !== null) location.assign(PAGES[kind] + url.split('/').at(-1))
      else {
        input.value = text
        input.form.requestSubmit()
      }
    }
    const optionOf = (suggestion, i) => {
      const option = element('li', '')
      option.id = `${list.id}-${i}`
      option.setAttribute('role', 'option')
      const facts = [KINDS[suggestion.kind]]
      if (suggestion.kind !== 'listing') facts.push(suggestion.count.toLocaleString(t('es-MX', 'en-US')))
      option.append(element('span', '', suggestion.label), element('small', '', facts.join(' · ')))
      // The box keeps the focus.
      option.addEventListener('pointerdown', event => event.preventDefault())
      option.addEventListener('click', () => choose(suggestion))
      return option
    }
    const show = suggestions => {
      shown = suggestions
      list.replaceChildren(...shown.map(optionOf))
      if (shown.length === 0) return close()
      place()
      list.hidden = false
      input.setAttribute('aria-expanded', 'true')
      mark(-1)
      status.textContent = t(`${shown.length} sugerencias`, `${shown.length} suggestions`)
    }
    const ask = async () => {
      request?.abort()
      request = new AbortController()
      const { signal } = request
      const query = new URLSearchParams({ q: input.value, lang: t('es', 'en') })
      try {
        const answer = await fetch(`/sugerencias.json?${query}`, { signal })
        const { content } = answer.ok ? await answer.json() : { content: [] }
        if (!signal.aborted) show(content.filter(isUsable))
      } catch {
        // Aborted, or offline: the box works without completion.
      }
    }

    input.addEventListener('input', () => {
      clearTimeout(timer)
      if (input.value.trim().length < SHORTEST) return close()
      timer = setTimeout(ask, PAUSE_MS)
    })
    input.addEventListener('keydown', event => {
      if (list.hidden || event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) {
        const count = shown.length + 1
        mark(((active + 1 + step + count) % count) - 1)
      } else if (event.key === 'Enter' && active >= 0) choose(shown[active])
      else if (event.key === 'Escape') close()
      else return
      event.preventDefault()
    })
    input.addEventListener('blur', close)
    input.form.addEventListener('submit', close)
    for (const event of ['resize', 'scroll']) addEventListener(event, () => list.hidden || place())
  }

  for (const [i, input] of document.querySelectorAll('input[data-suggest]').entries()) complete(input, i)
}
