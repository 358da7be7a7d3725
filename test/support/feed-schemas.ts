import type { Schema } from './xml.ts'

const URL = /^https?:\/\/\S+$/
const TEXT = /\S/
const NUMBER = /^-?\d+(\.\d+)?$/
const WHOLE = /^\d+$/

/** RSS 2.0 (rssboard.org/rss-specification), with Media RSS for the cover. */
export const RSS: Schema = {
  channel: {
    times: 'one',
    children: {
      title: { times: 'one', text: TEXT },
      link: { times: 'one', text: URL },
      description: { times: 'one', text: TEXT },
      language: { text: /^es-mx$/ },
      ttl: { text: WHOLE },
      item: {
        times: 'any',
        children: {
          title: { times: 'one', text: TEXT },
          link: { times: 'one', text: URL },
          guid: { times: 'one', text: TEXT, attributes: { isPermaLink: /^(true|false)$/ } },
          pubDate: { times: 'one', text: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/ },
          category: { text: TEXT },
          description: { times: 'one', text: TEXT },
          'media:content': { attributes: { url: URL, medium: /^image$/ } },
        },
      },
    },
  },
}

const TROVIT_TYPES =
  /^(For (Rent|Sale)( Local)?|(Office|Warehouse) For (Rent|Sale)|Land For Sale|Transfer Local|Short Term Rentals)$/

/** Trovit's specification for homes (its table of fields, and its published schema): what is required, types and ranges. */
export const TROVIT: Schema = {
  ad: {
    times: 'any',
    children: {
      id: { times: 'one', text: /^.{1,255}$/ },
      url: { times: 'one', text: URL },
      title: { times: 'one', text: /^.{1,255}$/ },
      type: { times: 'one', text: TROVIT_TYPES },
      content: { times: 'one', text: /^[\s\S]{30,}$/ },
      date: { times: 'one', text: /^\d\d\/\d\d\/\d{4}$/ },
      time: { text: /^\d\d:\d\d$/ },
      price: {
        text: /^\d+(\.\d{1,2})?$/,
        // The currency is ours: the layout assumes that of the country.
        attributes: { period: /^(monthly|weekly)$/, currency: /^[A-Z]{3}$/ },
      },
      property_type: { text: /^.{1,100}$/ },
      address: { text: TEXT },
      city_area: { text: TEXT },
      city: { text: TEXT },
      region: { text: TEXT },
      postcode: { text: TEXT },
      latitude: { text: NUMBER },
      longitude: { text: NUMBER },
      agency: { text: TEXT },
      floor_area: { text: WHOLE, attributes: { unit: /^meters$/ } },
      plot_area: { text: WHOLE, attributes: { unit: /^meters$/ } },
      rooms: { text: NUMBER },
      bathrooms: { text: NUMBER },
      parking: { text: WHOLE },
      year: { text: /^\d{4}$/ },
      virtual_tour: { text: URL },
      pictures: {
        children: { picture: { times: 'some', children: { picture_url: { times: 'one', text: URL } } } },
      },
    },
  },
}

/** Meta's documentation of home listings for catalogs: required fields, allowed values and lengths. */
export const META: Schema = {
  title: { times: 'one', text: TEXT },
  link: { times: 'one', attributes: { rel: /^self$/, href: URL } },
  listing: {
    times: 'any',
    children: {
      home_listing_id: { times: 'one', text: /^\S{1,100}$/ },
      name: { times: 'one', text: TEXT },
      availability: { times: 'one', text: /^(for_sale|for_rent)$/ },
      description: { text: /^[\s\S]{1,5000}$/ },
      address: {
        times: 'one',
        attributes: { format: /^simple$/ },
        children: {
          component: {
            times: 'some',
            text: TEXT,
            attributes: { name: /^(addr1|city|region|country|postal_code)$/ },
          },
        },
      },
      latitude: { times: 'one', text: NUMBER },
      longitude: { times: 'one', text: NUMBER },
      neighborhood: { times: 'some', text: TEXT },
      image: { times: 'some', children: { url: { times: 'one', text: URL } } },
      listing_type: { text: /^(for_sale_by_agent|for_rent_by_agent)$/ },
      num_beds: { text: WHOLE },
      num_baths: { text: NUMBER },
      price: { times: 'one', text: /^\d+\.\d\d [A-Z]{3}$/ },
      property_type: { text: /^(apartment|condo|house|land|manufactured|other|townhouse)$/ },
      area_size: { text: NUMBER },
      area_unit: { text: /^(sq_ft|sq_m)$/ },
      year_built: { text: /^\d{4}$/ },
      url: { times: 'one', text: URL },
      agent_name: { text: TEXT },
      agent_phone: { text: TEXT },
      agent_company: { text: TEXT },
    },
  },
}
