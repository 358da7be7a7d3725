// Maps: one listing, or the search results.
/* global L */
const INK = getComputedStyle(document.documentElement).getPropertyValue('--color-primary').trim()

function open(box) {
  const words = JSON.parse(box.dataset.words)
  box.replaceChildren()
  box.classList.add('is-live')
  const map = L.map(box, {
    zoomControl: false,
    minZoom: 4,
    maxZoom: 17,
    maxBounds: [
      [8, -128],
      [38, -76],
    ],
    zoomSnap: 0.5,
    scrollWheelZoom: box.dataset.map === 'results',
  })
  L.control.zoom({ position: 'topright', zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map)
  map.attributionControl.setPrefix('Leaflet')
  window.baseMap.addTo(map, box.dataset)
  return { map, words }
}

function openListing(box) {
  const { map, words } = open(box)
  const at = [Number(box.dataset.lat), Number(box.dataset.lng)]
  const meters = Number(box.dataset.meters)
  map.setView(at, meters > 0 ? 13 : 14)
  if (meters > 0)
    L.circle(at, { radius: meters, color: INK, weight: 2, fillOpacity: 0.22, interactive: false }).addTo(map)
  else L.marker(at, { icon: pin(), keyboard: false, alt: words.here }).addTo(map)
}

const pin = () => L.divIcon({ className: 'map-pin', iconSize: [26, 26], iconAnchor: [13, 26] })

const MOST_ZOOM = 17
const CORNERS = ['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng']
const PLACES = [...CORNERS, 'bbox', 'polygon', 'lat', 'lng', 'radius_km']

function openResults(box) {
  const { VIEW: viewIn, apart, element, cardOf, hideCovered, addPencil, addSwitch } = window.mapTools
  const { map, words } = open(box)
  const marks = L.layerGroup().addTo(map)
  const chosen = L.layerGroup().addTo(map)
  const { points, search, listing, meters } = box.dataset
  const query = new URL(points, location.href).searchParams
  // The cards of this page, beside the map.
  const listed = new Set(
    [...document.querySelectorAll('.results-list [data-listing]')].map(card => card.dataset.listing),
  )
  let asked = 0

  const load = async view => {
    const mine = ++asked
    const url = new URL(points, location.href)
    if (view)
      url.searchParams.set(
        'view',
        [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()]
          .map(degrees => degrees.toFixed(5))
          .join(','),
      )
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(String(answer.status))
    const found = await answer.json()
    if (mine === asked && view) draw(found.marks)
    return found
  }

  const draw = found => {
    marks.clearLayers()
    const read = found.map(([lat, lng, count, slug, price, title, exact, photo]) => ({
      lat,
      lng,
      count,
      listings: slug ? [{ lat, lng, slug, price, title, exact, photo }] : [],
    }))
    for (const mark of apart(map, read)) {
      if (mark.count > 1) drawCluster(mark)
      else drawListing(mark.listings[0])
    }
    hideCovered(box)
  }

  map.on('names', () => hideCovered(box))

  const drawCluster = ({ lat, lng, count, listings }) => {
    const size = count < 10 ? 34 : count < 100 ? 42 : 52
    const text = element('span', '', count > 9999 ? `${Math.round(count / 1000)}k` : String(count))
    const icon = L.divIcon({ className: 'map-cluster', html: text, iconSize: [size, size] })
    const name = `${count} ${words.many}`
    const cluster = L.marker([lat, lng], { icon, title: name, alt: name }).addTo(marks)
    // As close as it gets, and still on one another: a list.
    if (map.getZoom() >= MOST_ZOOM && listings.length === count) {
      const list = () => {
        const cards = element('div', 'map-list')
        cards.append(...listings.map(one => cardOf(one, listing)))
        return cards
      }
      cluster.bindPopup(list, { minWidth: 240, maxHeight: 320 })
    } else cluster.on('click', () => map.setView([lat, lng], Math.min(map.getZoom() + 2, MOST_ZOOM)))
  }

  const drawListing = one => {
    const { lat, lng, slug, price, title, exact } = one
    const isListed = listed.has(slug)
    const icon = L.divIcon({
      className: `map-price${exact ? ' is-exact' : ''}${isListed ? ' is-listed' : ''}`,
      html: element('span', '', shortPrice(price)),
      iconSize: [0, 0],
    })
    const mark = L.marker([lat, lng], { icon, title, alt: title, zIndexOffset: isListed ? 500 : 0 })
    mark.bindPopup(() => cardOf(one, listing), { minWidth: 240 }).addTo(marks)
    mark.slug = slug
    // Where it may be, only of the one that was chosen.
    mark.on('popupopen', () => {
      if (exact) return
      const style = { radius: Number(meters), color: INK, weight: 1, fillOpacity: 0.15, interactive: false }
      L.circle([lat, lng], style).addTo(chosen)
    })
    mark.on('popupclose', () => chosen.clearLayers())
  }

  // Hovering over a card highlights its marker.
  document.addEventListener('mouseover', event => {
    const slug = event.target.closest?.('[data-listing]')?.dataset.listing
    marks.eachLayer(mark => mark.slug && mark.getElement()?.classList.toggle('is-active', mark.slug === slug))
  })

  const searchIn = changes => {
    const next = new URLSearchParams(query)
    for (const name of PLACES) next.delete(name)
    for (const [name, value] of Object.entries(changes)) next.set(name, value)
    const { lat, lng } = map.getCenter()
    location.href = `${search}?${next}#vista=${lat.toFixed(5)},${lng.toFixed(5)},${map.getZoom()}`
  }
  const area = element('button', 'btn btn-primary btn-sm map-area', words.area)
  area.type = 'button'
  area.hidden = true
  area.addEventListener('click', () => {
    const view = map.getBounds()
    const degrees = [view.getSouth(), view.getWest(), view.getNorth(), view.getEast()]
    searchIn(Object.fromEntries(CORNERS.map((name, i) => [name, degrees[i].toFixed(5)])))
  })
  box.append(area)
  if (words.draw) addPencil(map, box, { words, done: polygon => searchIn({ polygon }) })
  if (words.map) addSwitch(map, box, words)

  for (const polygon of query.getAll('polygon')) {
    const ring = polygon.split(';').map(point => point.split(',').map(Number))
    if (ring.every(([lat, lng]) => Number.isFinite(lat) && Number.isFinite(lng)))
      L.polygon(ring, { color: INK, weight: 2, fillOpacity: 0.06, interactive: false }).addTo(map)
  }

  const startAt = bounds => {
    const [, lat, lng, zoom] = viewIn.exec(location.hash) ?? []
    const [south, west, north, east] = CORNERS.map(name => Number(query.get(name) ?? Number.NaN))
    if (zoom) map.setView([Number(lat), Number(lng)], Number(zoom))
    else if (Number.isFinite(south + west + north + east))
      map.fitBounds([
        [south, west],
        [north, east],
      ])
    else
      map.fitBounds([
        [bounds.south, bounds.west],
        [bounds.north, bounds.east],
      ])
  }
  load()
    .then(({ bounds }) => {
      startAt(bounds)
      // The map moves to show a whole card: reloading would close it.
      let isForCard = false
      map.on('autopanstart', () => {
        isForCard = true
      })
      map.on('moveend', () => {
        if (!isForCard) load(map.getBounds()).catch(() => {})
        isForCard = false
      })
      load(map.getBounds()).catch(() => {})
      map.on('dragend zoomend', () => {
        area.hidden = false
      })
    })
    .catch(() => {
      map.fitBounds([
        [14.4, -118.5],
        [32.8, -86.6],
      ])
      const message = document.createElement('p')
      message.className = 'map-failed'
      message.textContent = words.failed
      box.append(message)
    })
}

/** $4,500,000 MXN → $4.5 M */
function shortPrice(text) {
  const amount = Number(text.replace(/[^\d.]/g, ''))
  const dollars = text.endsWith('USD') ? ' USD' : ''
  if (amount >= 1e6) return `$${(amount / 1e6).toFixed(amount < 1e7 ? 1 : 0).replace(/\.0$/, '')} M${dollars}`
  if (amount >= 1e3)
    return `$${Math.round(amount / 1e3)} mil${dollars}`.replace(
      ' mil',
      document.documentElement.lang === 'en' ? 'k' : ' mil',
    )
  return `$${amount}${dollars}`
}

if (window.L) {
  for (const box of document.querySelectorAll('[data-map]')) {
    if (box.dataset.map === 'results') openResults(box)
    else openListing(box)
  }
}
