// Favorites and listings seen are kept in this browser only, with the price they had: no account, no cookie.
{
  const KEY = 'lonja-saved'
  const MOST = { favorites: 40, seen: 12 }
  const SLUG = /^[a-z0-9-]{1,120}$/
  const isEnglish = document.documentElement.lang.startsWith('en')
  const t = (es, en) => (isEnglish ? en : es)
  const LIST = t('/favoritos', '/en/favorites')

  const cleaned = (list, most) =>
    (Array.isArray(list) ? list : [])
      .filter(one => SLUG.test(one?.slug) && typeof one.price === 'string')
      .slice(0, most)
  // Storage may be blocked, full, or written by another version.
  const read = () => {
    let stored
    try {
      stored = JSON.parse(localStorage.getItem(KEY))
    } catch {}
    return {
      favorites: cleaned(stored?.favorites, MOST.favorites),
      seen: cleaned(stored?.seen, MOST.seen),
    }
  }
  const write = saved => {
    try {
      localStorage.setItem(KEY, JSON.stringify(saved))
    } catch {}
  }
  const isFavorite = slug => read().favorites.some(one => one.slug === slug)
  const put = (name, { slug, price }) => {
    const saved = read()
    saved[name] = [{ slug, price }, ...saved[name].filter(one => one.slug !== slug)].slice(0, MOST[name])
    write(saved)
  }
  // For the agent's figures: which listing, nothing about who.
  const report = (kind, slug) =>
    navigator.sendBeacon?.('/cifras', new URLSearchParams({ kind, listing: slug }))
  const toggle = ({ slug, price }) => {
    if (!isFavorite(slug)) {
      report('favorites', slug)
      return put('favorites', { slug, price })
    }
    const saved = read()
    write({ ...saved, favorites: saved.favorites.filter(one => one.slug !== slug) })
  }

  /** Prices are written as on the page's elements: amount, currency, operation. */
  const isLowered = ({ slug, price }) => {
    const { favorites, seen } = read()
    const before = [...favorites, ...seen].find(one => one.slug === slug)?.price.split(' ')
    const now = price.split(' ')
    return (
      Boolean(before) && before[1] === now[1] && before[2] === now[2] && Number(now[0]) < Number(before[0])
    )
  }

  const slugs = list => list.map(one => one.slug).join(',')
  const addressOfList = () => {
    const { favorites, seen } = read()
    const query = new URLSearchParams()
    if (favorites.length > 0) query.set('ids', slugs(favorites))
    if (seen.length > 0) query.set('seen', slugs(seen))
    return query.size > 0 ? `${LIST}?${query}` : LIST
  }
  const showCount = () => {
    const count = read().favorites.length
    for (const link of document.querySelectorAll('[data-favorites]')) {
      link.href = addressOfList()
      link.querySelector('[data-count]').textContent = count > 0 ? String(count) : ''
    }
  }

  const element = (tag, className, text) => {
    const made = document.createElement(tag)
    made.className = className
    made.textContent = text ?? ''
    return made
  }
  const heartFor = (listing, title) => {
    const button = element('button', 'heart', '')
    button.type = 'button'
    const show = () => {
      const isOn = isFavorite(listing.slug)
      button.setAttribute('aria-pressed', String(isOn))
      button.textContent = isOn ? '♥' : '♡'
    }
    button.setAttribute('aria-label', `${t('Favorito', 'Favorite')}: ${title}`)
    button.addEventListener('click', () => {
      toggle(listing)
      show()
      showCount()
    })
    show()
    return button
  }
  const loweredNote = () =>
    element('p', 'lowered', t('Bajó de precio desde que la viste', 'Price lowered since you saw it'))

  for (const card of document.querySelectorAll('article[data-price]')) {
    const listing = { slug: card.dataset.listing, price: card.dataset.price }
    const title = card.querySelector('h2, h3')?.textContent ?? ''
    card.querySelector('.listing-picture')?.append(heartFor(listing, title))
    if (isLowered(listing)) card.querySelector('.listing-price')?.after(loweredNote())
  }

  const page = document.querySelector('[data-seen]')
  if (page) {
    const listing = { slug: page.dataset.seen, price: page.dataset.price }
    const title = document.querySelector('h1')?.textContent ?? ''
    if (isLowered(listing)) document.querySelector('.prices')?.after(loweredNote())
    put('seen', listing)
    page.append(heartFor(listing, title))

    const share = page.querySelector('[data-share]')
    const url = share.dataset.share
    const shared = () => report('shares', listing.slug)
    share.querySelector('summary').addEventListener('click', event => {
      // On a computer the system's sheet offers less than the menu.
      if (!navigator.share || !matchMedia('(pointer: coarse)').matches) return
      event.preventDefault()
      shared()
      navigator.share({ title, url }).catch(error => {
        if (error.name !== 'AbortError') share.open = true
      })
    })
    for (const link of share.querySelectorAll('a')) link.addEventListener('click', shared)
    // Browsers have a clipboard only on secure pages.
    const copy = share.querySelector('[data-copy-link]')
    copy.hidden = !navigator.clipboard
    copy.addEventListener('click', async () => {
      shared()
      await navigator.clipboard.writeText(url)
      copy.querySelector('span').textContent = copy.dataset.done
    })
    const print = share.querySelector('[data-print]')
    print.hidden = false
    print.addEventListener('click', () => {
      share.open = false
      window.print()
    })
    addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !share.open) return
      share.open = false
      share.querySelector('summary').focus()
    })
  }

  // The list itself is a page of the server: its address can be shared.
  if (document.querySelector('[data-favorites-start]') && addressOfList() !== LIST)
    location.replace(addressOfList())
  for (const box of document.querySelectorAll('[data-share-list]')) {
    const button = element('button', 'btn btn-sm', t('Copiar enlace', 'Copy link'))
    button.type = 'button'
    button.addEventListener('click', async () => {
      await navigator.clipboard?.writeText(box.querySelector('input').value)
      button.textContent = t('Enlace copiado', 'Link copied')
    })
    box.append(button)
  }
  showCount()
  addEventListener('pageshow', showCount)
}
