// Generated from docs/openapi.json by `npm run client:types`. Do not edit.

export type ErrorBody = {
  /** A stable code. */
  error:
    | 'bad_request'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'method_not_allowed'
    | 'conflict'
    | 'gone'
    | 'precondition_failed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'validation'
    | 'rate_limited'
    | 'server_error'
  /** What to do next, for people. */
  message: string
  /** With 422: one message per problem, starting with the field or parameter. For people; programs should read `details`. */
  errors?: Array<string> | undefined
  /** With 422: the problems of `errors`, in the same order, for programs. */
  details?:
    | Array<{
        /** The field or parameter. */
        field: string
        /** The entry of a list, from 0. */
        index?: number | undefined
        /** Compare this, not the message. The list is complete. */
        code:
          | 'required'
          | 'required_with'
          | 'required_by'
          | 'requires'
          | 'needed_by'
          | 'not_with'
          | 'null_not_allowed'
          | 'empty'
          | 'repeated'
          | 'not_an_object'
          | 'not_a_list'
          | 'not_text'
          | 'not_a_number'
          | 'not_an_integer'
          | 'not_a_boolean'
          | 'not_a_time'
          | 'not_a_day'
          | 'no_rate'
          | 'not_an_email'
          | 'not_a_url'
          | 'not_a_public_url'
          | 'not_ids'
          | 'not_a_price'
          | 'not_a_percentage'
          | 'not_a_postal_code'
          | 'invalid_characters'
          | 'no_letters'
          | 'too_short'
          | 'too_long'
          | 'out_of_range'
          | 'too_many_decimals'
          | 'too_many_items'
          | 'too_many_images'
          | 'greater_than'
          | 'unknown_value'
          | 'unknown_state'
          | 'unknown_amenity'
          | 'unknown_image'
          | 'id_mismatch'
          | 'not_a_key'
          | 'key_reused'
          | 'reserved'
          | 'price_required'
          | 'currency_mismatch'
          | 'outside_mexico'
          | 'not_a_place'
          | 'country_center'
          | 'not_a_box'
          | 'not_a_polygon'
          | 'too_many_points'
          | 'foreign_cursor'
          | 'not_a_prefix'
          | 'unknown_field'
        /** The same message as in `errors`. */
        message: string
      }>
    | undefined
}

export type Conflict = {
  error: string
  message: string
  /** The listing that already has this external_id. Absent if a request with the same Idempotency-Key is still running. */
  id?: string | undefined
  slug?: string | undefined
  status?: string | undefined
}

/** A state of Mexico, as it appears in responses. */
export type State =
  | 'Aguascalientes'
  | 'Baja California'
  | 'Baja California Sur'
  | 'Campeche'
  | 'Coahuila'
  | 'Colima'
  | 'Chiapas'
  | 'Chihuahua'
  | 'Ciudad de México'
  | 'Durango'
  | 'Guanajuato'
  | 'Guerrero'
  | 'Hidalgo'
  | 'Jalisco'
  | 'Estado de México'
  | 'Michoacán'
  | 'Morelos'
  | 'Nayarit'
  | 'Nuevo León'
  | 'Oaxaca'
  | 'Puebla'
  | 'Querétaro'
  | 'Quintana Roo'
  | 'San Luis Potosí'
  | 'Sinaloa'
  | 'Sonora'
  | 'Tabasco'
  | 'Tamaulipas'
  | 'Tlaxcala'
  | 'Veracruz'
  | 'Yucatán'
  | 'Zacatecas'

/** An amenity, as it appears in responses. */
export type Amenity =
  | 'Alberca'
  | 'Alberca techada'
  | 'Chapoteadero'
  | 'Jacuzzi'
  | 'Gimnasio'
  | 'Salón de usos múltiples'
  | 'Área de juegos infantiles'
  | 'Ludoteca'
  | 'Cancha de tenis'
  | 'Cancha de pádel'
  | 'Cancha de fútbol'
  | 'Cancha de básquetbol'
  | 'Campo de golf'
  | 'Casa club'
  | 'Cine'
  | 'Sauna'
  | 'Vapor'
  | 'Fogatero'
  | 'Ciclopista'
  | 'Jardín'
  | 'Terraza'
  | 'Balcón'
  | 'Patio'
  | 'Roof garden'
  | 'Asador'
  | 'Áreas verdes'
  | 'Áreas comunes'
  | 'Área para mascotas'
  | 'Cisterna'
  | 'Riego por aspersión'
  | 'Garaje'
  | 'Estacionamiento techado'
  | 'Estacionamiento de visitas'
  | 'Facilidad para estacionarse'
  | 'Cargador para auto eléctrico'
  | 'Frente a la playa'
  | 'Acceso a la playa'
  | 'Frente al agua'
  | 'Vista al mar'
  | 'Vista panorámica'
  | 'Muelle de carga'
  | 'Aire acondicionado'
  | 'Calefacción'
  | 'Chimenea'
  | 'Amueblado'
  | 'Cocina integral'
  | 'Cocina equipada'
  | 'Cuarto de servicio'
  | 'Cuarto de lavado'
  | 'Bodega'
  | 'Clósets'
  | 'Vestidor'
  | 'Estudio'
  | 'Oficina'
  | 'Recámara en planta baja'
  | 'Una sola planta'
  | 'Dos plantas'
  | 'Penthouse'
  | 'Elevador'
  | 'Internet'
  | 'Gas natural'
  | 'Gas estacionario'
  | 'Hidroneumático'
  | 'Panel solar'
  | 'Calentador solar'
  | 'Planta eléctrica'
  | 'Alarma'
  | 'Circuito cerrado'
  | 'Seguridad 24 horas'
  | 'Acceso controlado'
  | 'Portero'
  | 'Fraccionamiento privado'
  | 'Accesibilidad para personas con discapacidad'
  | 'Accesibilidad para adultos mayores'
  | 'Mascotas permitidas'
  | 'No se aceptan mascotas'
  | 'Prohibido fumar'

export type Pagination = {
  page: number
  pages: number
  total: number
  limit: number
}

export type Understood = {
  /** The filters the question was turned into, by parameter name. */
  parameters: Record<string, Array<string>>
  /** Which words of the question became which filter. */
  pieces: Array<{
    text: string
    parameter: string
    value: string
  }>
  /** What was not understood, searched for as text. */
  text: string
  /** Words found in no listing, and what was searched for instead. */
  corrections: Array<{
    from: string
    to: string
  }>
  /** Text, or the narrower of several places, dropped because no listing matches it together with the rest; also words after the first 200 characters of `text`. */
  left_out: string | null
}

export type Facets = {
  /** Property types. */
  type?:
    | {
        values: Array<{
          value: string
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** States. */
  state?:
    | {
        values: Array<{
          value: string
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** Cities, by their whole name. */
  city?:
    | {
        values: Array<{
          value: string
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** Neighborhoods, by their whole name. */
  neighborhood?:
    | {
        values: Array<{
          value: string
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** Bedrooms, by the exact number. */
  bedrooms?:
    | {
        values: Array<{
          value: number
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** Amenities, each by itself: without those you chose. */
  features?:
    | {
        values: Array<{
          value: string
          count: number
        }>
        /** How many more values there are: only the 50 with the most listings are returned. */
        other_values: number
      }
    | undefined
  /** Prices from `min` to below `max`, for each operation and currency. */
  price?:
    | {
        values: Array<{
          operation: 'sale' | 'rental'
          currency: 'MXN' | 'USD'
          min: number
          max: number
          count: number
        }>
        /** Always 0. */
        other_values: number
      }
    | undefined
}

export type Listing = {
  id: string
  slug: string
  url: string
  title: string
  description: string | null
  title_en: string | null
  description_en: string | null
  property_type:
    | 'house'
    | 'apartment'
    | 'land'
    | 'office'
    | 'commercial'
    | 'warehouse'
    | 'ranch'
    | 'building'
    | 'other'
  status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
  operations: Array<{
    type: 'sale' | 'rental'
    amount: number
    currency: 'MXN' | 'USD'
    formatted_amount: string
    /** Rentals only. */
    period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
  }>
  rent_period: 'monthly' | 'weekly' | 'daily' | 'yearly' | null
  bedrooms: number | null
  bathrooms: number | null
  half_bathrooms: number | null
  parking: number | null
  construction_m2: number | null
  lot_m2: number | null
  year_built: number | null
  floors: number | null
  features: Array<Amenity>
  location: {
    /** Null unless the agent shows the exact address. */
    address: string | null
    neighborhood: string | null
    city: string
    municipality: string | null
    state: State
    /** Null for others unless the location is exact. */
    postal_code: string | null
    /** Approximate unless `exact`. */
    lat: number | null
    lng: number | null
    exact: boolean
  }
  images: Array<{
    id: string
    url: string
    thumb: string
  }>
  video_url: string | null
  virtual_tour_url: string | null
  exclusive: boolean
  agent: {
    name: string
    slug: string
    phone: string | null
    url: string
  }
  /** The agency to display with the agent. */
  agency: {
    name: string
    slug: string
    url: string
    logo_url: string | null
  } | null
  source_id: string | null
  /** On your own listings only. */
  internal_id?: string | null | undefined
  /** On your own listings only. */
  idx_opt_out?: boolean | undefined
  /** On your own listings only. */
  show_exact_address?: boolean | undefined
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  /** UTC with milliseconds and a trailing Z. */
  updated_at: string
  /** UTC with milliseconds and a trailing Z. */
  published_at: string | null
  /** Changes whenever anything in the record changes, including an image, the agent or the agency. */
  version: string
  /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
  warnings?: Array<string> | undefined
}

export type NewListing = {
  /** At least 5 characters. */
  title: string
  description?: string | null | undefined
  title_en?: string | null | undefined
  description_en?: string | null | undefined
  /** Default: `other`. */
  property_type?:
    | 'house'
    | 'apartment'
    | 'land'
    | 'office'
    | 'commercial'
    | 'warehouse'
    | 'ranch'
    | 'building'
    | 'other'
    | undefined
  /** A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN", also as people write it: "1'250,000 M.N.", "85,000 dlls". A currency in the text must not contradict the currency field. */
  sale_price?: number | null | string | null | undefined
  /** Default: MXN. */
  sale_currency?: 'MXN' | 'USD' | null | undefined
  /** A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN", also as people write it: "1'250,000 M.N.", "85,000 dlls". A currency in the text must not contradict the currency field. */
  rent_price?: number | null | string | null | undefined
  /** Default: MXN. */
  rent_currency?: 'MXN' | 'USD' | null | undefined
  /** Default: `monthly`. */
  rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | null | undefined
  bedrooms?: number | null | undefined
  bathrooms?: number | null | undefined
  half_bathrooms?: number | null | undefined
  parking?: number | null | undefined
  construction_m2?: number | null | undefined
  lot_m2?: number | null | undefined
  /** Up to ten years from now. */
  year_built?: number | null | undefined
  floors?: number | null | undefined
  /** Amenity labels in Spanish as listed by GET /meta; common synonyms are accepted. */
  features?: Array<Amenity | (string & {})> | null | undefined
  address?: string | null | undefined
  neighborhood?: string | null | undefined
  /** Required on create. */
  city: string
  municipality?: string | null | undefined
  /** A Mexican state; abbreviations such as CDMX are accepted. */
  state: State | (string & {})
  postal_code?: string | null | undefined
  /** Stored exactly; displayed approximately unless show_exact_address is true. */
  lat?: number | null | undefined
  lng?: number | null | undefined
  /** Show the exact point and the address to everyone. */
  show_exact_address?: boolean | null | undefined
  /** The owner does not authorize display on other agents’ sites: hidden from other keys. */
  idx_opt_out?: boolean | null | undefined
  video_url?: string | null | undefined
  virtual_tour_url?: string | null | undefined
  /** Exclusive listing. */
  exclusive?: boolean | null | undefined
  /** Percent or text. Shown to verified agents in the portal; no API response contains it. */
  shared_commission?: number | null | string | null | undefined
  internal_id?: string | null | undefined
  /** Replaces the listing’s URL images. */
  images?:
    | Array<
        | string
        | {
            url: string
          }
      >
    | null
    | undefined
  /** Your own identifier: unique among your listings, returned as source_id. */
  external_id?: string | null | undefined
}

/** Only the fields that are present change; null clears a field. */
export type ListingChanges = {
  /** At least 5 characters. */
  title?: string | undefined
  description?: string | null | undefined
  title_en?: string | null | undefined
  description_en?: string | null | undefined
  /** Default: `other`. */
  property_type?:
    | 'house'
    | 'apartment'
    | 'land'
    | 'office'
    | 'commercial'
    | 'warehouse'
    | 'ranch'
    | 'building'
    | 'other'
    | undefined
  /** A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN", also as people write it: "1'250,000 M.N.", "85,000 dlls". A currency in the text must not contradict the currency field. */
  sale_price?: number | null | string | null | undefined
  /** Default: MXN. */
  sale_currency?: 'MXN' | 'USD' | null | undefined
  /** A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN", also as people write it: "1'250,000 M.N.", "85,000 dlls". A currency in the text must not contradict the currency field. */
  rent_price?: number | null | string | null | undefined
  /** Default: MXN. */
  rent_currency?: 'MXN' | 'USD' | null | undefined
  /** Default: `monthly`. */
  rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | null | undefined
  bedrooms?: number | null | undefined
  bathrooms?: number | null | undefined
  half_bathrooms?: number | null | undefined
  parking?: number | null | undefined
  construction_m2?: number | null | undefined
  lot_m2?: number | null | undefined
  /** Up to ten years from now. */
  year_built?: number | null | undefined
  floors?: number | null | undefined
  /** Amenity labels in Spanish as listed by GET /meta; common synonyms are accepted. */
  features?: Array<Amenity | (string & {})> | null | undefined
  address?: string | null | undefined
  neighborhood?: string | null | undefined
  /** Required on create. */
  city?: string | undefined
  municipality?: string | null | undefined
  /** A Mexican state; abbreviations such as CDMX are accepted. */
  state?: State | (string & {}) | undefined
  postal_code?: string | null | undefined
  /** Stored exactly; displayed approximately unless show_exact_address is true. */
  lat?: number | null | undefined
  lng?: number | null | undefined
  /** Show the exact point and the address to everyone. */
  show_exact_address?: boolean | null | undefined
  /** The owner does not authorize display on other agents’ sites: hidden from other keys. */
  idx_opt_out?: boolean | null | undefined
  video_url?: string | null | undefined
  virtual_tour_url?: string | null | undefined
  /** Exclusive listing. */
  exclusive?: boolean | null | undefined
  /** Percent or text. Shown to verified agents in the portal; no API response contains it. */
  shared_commission?: number | null | string | null | undefined
  internal_id?: string | null | undefined
  /** Replaces the listing’s URL images. */
  images?:
    | Array<
        | string
        | {
            url: string
          }
      >
    | null
    | undefined
  /** Your own identifier: unique among your listings, returned as source_id. */
  external_id?: string | null | undefined
}

export type Batch = {
  items: Array<{
    /** Your own id for the listing. */
    external_id: string
    set: ListingChanges
    /** The status to set. If omitted, a new listing is a draft. */
    status?: 'published' | 'draft' | 'withdrawn' | undefined
  }>
}

export type ImageUrls = {
  urls: Array<string>
}

export type ImageOrder = {
  /** The ids of images, the cover first. */
  order: Array<string>
}

export type LeadCreatedEvent = {
  event: 'lead.created'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    name: string
    email: string | null
    phone: string | null
    message: string | null
    kind: 'info' | 'tour'
    id_status: 'verified' | 'pending' | null
    listing: {
      id: string
      slug: string
      title: string
    } | null
    source: string
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type LeadUpdatedEvent = {
  event: 'lead.updated'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    status: 'new' | 'contacted' | 'qualified' | 'showing' | 'negotiation' | 'won' | 'lost'
    /** true: a colleague of the same agency has the lead now, and you can no longer read it. */
    handed_over?: boolean | undefined
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type ListingPublishedEvent = {
  event: 'listing.published'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    slug: string
    title: string
    status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type ListingUnpublishedEvent = {
  event: 'listing.unpublished'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    slug: string
    title: string
    status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type ListingUpdatedEvent = {
  event: 'listing.updated'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    slug: string
    title: string
    status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type CooperationCreatedEvent = {
  event: 'cooperation.created'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    state:
      | 'proposed'
      | 'accepted'
      | 'showing'
      | 'offer'
      | 'closed'
      | 'declined'
      | 'withdrawn'
      | 'lost'
      | 'expired'
    /** owner: you are the agent of the listing. proposer: you are the agent of the buyer. */
    role: 'proposer' | 'owner'
    /** The listing’s agent proposed it. Absent from events before 2026-11-15. */
    is_offer?: boolean | undefined
    listing: {
      id: string
      slug: string
      title: string
    } | null
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

export type CooperationUpdatedEvent = {
  event: 'cooperation.updated'
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  data: {
    id: string
    state:
      | 'proposed'
      | 'accepted'
      | 'showing'
      | 'offer'
      | 'closed'
      | 'declined'
      | 'withdrawn'
      | 'lost'
      | 'expired'
    /** owner: you are the agent of the listing. proposer: you are the agent of the buyer. */
    role: 'proposer' | 'owner'
    /** The listing’s agent proposed it. Absent from events before 2026-11-15. */
    is_offer?: boolean | undefined
    listing: {
      id: string
      slug: string
      title: string
    } | null
  }
  /** In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed. */
  delivery?:
    | {
        status: 'ok' | 'http 4xx' | 'http 5xx' | 'error: delivery failed'
        /** UTC with milliseconds and a trailing Z. */
        at: string
      }
    | undefined
}

/** The `data` is byte for byte what webhooks send. */
export type WebhookEvent =
  | LeadCreatedEvent
  | LeadUpdatedEvent
  | ListingPublishedEvent
  | ListingUnpublishedEvent
  | ListingUpdatedEvent
  | CooperationCreatedEvent
  | CooperationUpdatedEvent

export type Lead = {
  id: string
  listing_id: string | null
  listing_title: string | null
  listing_slug: string | null
  name: string
  email: string | null
  phone: string | null
  message: string | null
  source: string
  status: 'new' | 'contacted' | 'qualified' | 'showing' | 'negotiation' | 'won' | 'lost'
  kind: 'info' | 'tour'
  lang: 'es' | 'en'
  interest: 'sale' | 'rental' | null
  budget_min: number | null
  budget_max: number | null
  /** UTC with milliseconds and a trailing Z. */
  follow_up_at: string | null
  /** UTC with milliseconds and a trailing Z. */
  tour_at: string | null
  tour_status: 'requested' | 'confirmed' | 'done' | 'cancelled' | 'no_show' | null
  /** UTC with milliseconds and a trailing Z. */
  showing_at: string | null
  id_status: 'verified' | 'pending' | null
  /** A showing request whose visitor has not completed identification. */
  awaiting_id: boolean
  /** UTC with milliseconds and a trailing Z. */
  created_at: string
  /** UTC with milliseconds and a trailing Z. */
  updated_at: string
  /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
  warnings?: Array<string> | undefined
}

export type NewLead = {
  /** The person’s name, on one line. */
  name: string
  /** Email address. */
  email?: string | null | undefined
  /** Phone number, as the person wrote it. */
  phone?: string | null | undefined
  /** The inquiry. */
  message?: string | null | undefined
  /** UUID or slug of one of your listings; anything else is left unlinked. */
  property_id?: string | null | undefined
  /** Your own label; default `api`. */
  source?: string | null | undefined
}

export type LeadChanges = {
  /** The stage; any may follow any other. */
  status?: 'new' | 'contacted' | 'qualified' | 'showing' | 'negotiation' | 'won' | 'lost' | undefined
  /** When you mean to get back to the person; null: not planned. */
  follow_up_at?: string | null | undefined
  /** Added to the notes in the portal; no answer contains them. */
  note?: string | null | undefined
}

/** The method and the path of every operation. */
export const OPERATIONS = {
  getMe: ['GET', '/me'],
  listAgents: ['GET', '/agents'],
  listAgencies: ['GET', '/agencies'],
  getMeta: ['GET', '/meta'],
  listLocations: ['GET', '/locations'],
  searchListings: ['GET', '/properties'],
  createListing: ['POST', '/properties'],
  clusterListings: ['GET', '/properties/clusters'],
  marketStatistics: ['GET', '/market'],
  similarListings: ['GET', '/properties/{id}/similar'],
  suggest: ['GET', '/suggest'],
  updateListing: ['PUT', '/properties/{id}'],
  getListing: ['GET', '/properties/{id}'],
  withdrawListing: ['DELETE', '/properties/{id}'],
  putMyListing: ['PUT', '/my/properties/{external_id}'],
  getMyListing: ['GET', '/my/properties/{external_id}'],
  withdrawMyListing: ['DELETE', '/my/properties/{external_id}'],
  putMyListings: ['POST', '/my/properties/batch'],
  addImages: ['POST', '/properties/{id}/images'],
  orderImages: ['PUT', '/properties/{id}/images'],
  removeImage: ['DELETE', '/properties/{id}/images/{image_id}'],
  listMyListings: ['GET', '/my/properties'],
  publishListing: ['POST', '/properties/{id}/publish'],
  unpublishListing: ['POST', '/properties/{id}/unpublish'],
  publishMyListing: ['POST', '/my/properties/{external_id}/publish'],
  unpublishMyListing: ['POST', '/my/properties/{external_id}/unpublish'],
  listChanges: ['GET', '/changes'],
  getDigest: ['GET', '/digest'],
  listEvents: ['GET', '/events'],
  createLead: ['POST', '/leads'],
  listLeads: ['GET', '/leads'],
  updateLead: ['PATCH', '/leads/{id}'],
  getDescription: ['GET', '/openapi.json'],
} as const

/** What every operation takes, path and query parameters by name, and what it answers. */
export interface Operations {
  /** Key owner and scopes. Whose key this is and what it may do. The first call to make: it shows that the key works. */
  getMe: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      /** Name of the agent the key belongs to. */
      name: string
      /** What the key may do: read, write. */
      scopes: Array<string>
      agent: {
        id: string
        name: string
        slug: string
        url: string
        phone: string | null
        email: string
        license: {
          number: string | null
          state: string | null
          /** UTC with milliseconds and a trailing Z. */
          verified_at: string | null
        }
      }
      /** The agency to display with the agent. */
      agency: {
        name: string
        slug: string
        url: string
        logo_url: string | null
      } | null
      key: {
        label: string
        prefix: string
        /** UTC with milliseconds and a trailing Z. */
        created_at: string
      }
      /** A test account: no one else sees its listings. */
      test: boolean
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Public verified agents. The agents whose listings you can see, each with its agency and number of listings. */
  listAgents: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<{
        id: string
        name: string
        slug: string
        url: string
        phone: string | null
        /** The agency to display with the agent. */
        agency: {
          name: string
          slug: string
          url: string
          logo_url: string | null
        } | null
        /** States in which the agent has published listings. */
        states: Array<State>
        /** Published listings visible to everyone. */
        listings: number
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Active agencies. The agencies on the exchange, each with its number of public verified agents. */
  listAgencies: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<{
        id: string
        name: string
        slug: string
        url: string
        logo_url: string | null
        /** Public verified agents of the agency. */
        agents: number
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Accepted values. All enumerated values: property types, statuses, states, amenities, currencies, with their labels in Spanish and English, and the limits. No key is needed. */
  getMeta: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      property_types: Array<string>
      statuses: Array<string>
      states: Array<State>
      amenities: Array<Amenity>
      currencies: Array<string>
      operations: Array<string>
      rent_periods: Array<string>
      sorts: Array<string>
      /** Display labels, by list and value. */
      labels: Record<string, Record<string, Record<string, string>>>
      limits: Record<string, number>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Cities and states with published inventory. How many published listings each city has, for menus of places. */
  listLocations: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<{
        city: string
        state: State
        count: number
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Search listings. Published listings of verified agents, plus your own in any status. All filters must match; an invalid one is rejected, never ignored. To keep a copy, use `GET /changes`, or ask with `updated_since` and `sort=updated` from a few seconds before your latest `updated_at`. */
  searchListings: {
    request: {
      /** What a person would type, in Spanish or English. It is turned into filters, listed under `understood`; filters sent explicitly take precedence. */
      ask?: string | undefined
      /** Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted. */
      ids?: string | undefined
      /** Free text with Spanish stemming; accents are ignored. All words must match. */
      q?: string | undefined
      /** sale: has a sale price; rental: has a rent price. */
      operation?: 'sale' | 'rental' | undefined
      /** Only listings for rent by this period. */
      rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
      /** Property type; repeat for several. */
      type?:
        | Array<
            | 'house'
            | 'apartment'
            | 'land'
            | 'office'
            | 'commercial'
            | 'warehouse'
            | 'ranch'
            | 'building'
            | 'other'
          >
        | undefined
      /** Name of a state; common abbreviations are accepted. */
      state?: State | (string & {}) | undefined
      /** Part of the name; accents and case do not matter. */
      city?: string | undefined
      /** Part of the name; accents and case do not matter. */
      neighborhood?: string | undefined
      /** A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either. */
      place?: string | undefined
      /** Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies. */
      min_price?: number | undefined
      /** See min_price. */
      max_price?: number | undefined
      /** Only listings priced in this currency. */
      currency?: 'MXN' | 'USD' | undefined
      /** Minimum number of bedrooms; 0 means no minimum. */
      min_bedrooms?: number | undefined
      /** Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added. */
      min_bathrooms?: number | undefined
      /** Minimum number of parking spaces. */
      min_parking?: number | undefined
      /** Minimum built area in square meters. */
      min_construction?: number | undefined
      /** Minimum lot area in square meters. */
      min_lot?: number | undefined
      /** Maximum number of bedrooms. */
      max_bedrooms?: number | undefined
      /** Maximum of `bathrooms` as it is written; `half_bathrooms` is not added. */
      max_bathrooms?: number | undefined
      /** Maximum number of parking spaces. */
      max_parking?: number | undefined
      /** Maximum built area in square meters. */
      max_construction?: number | undefined
      /** Maximum lot area in square meters. */
      max_lot?: number | undefined
      /** Minimum number of half bathrooms. */
      min_half_bathrooms?: number | undefined
      /** Maximum number of half bathrooms. */
      max_half_bathrooms?: number | undefined
      /** Built in this year or later. */
      min_year_built?: number | undefined
      /** Built in this year or earlier. */
      max_year_built?: number | undefined
      /** Minimum number of floors. */
      min_floors?: number | undefined
      /** Maximum number of floors. */
      max_floors?: number | undefined
      /** Amenity label; repeat for several. A listing must have them all. */
      features?: Array<Amenity | (string & {})> | undefined
      /** Amenity label; repeat for several. A listing must have none of them. */
      exclude_features?: Array<Amenity | (string & {})> | undefined
      /** Southwest corner of a map rectangle; all four values are required together. */
      sw_lat?: number | undefined
      /** With sw_lat. */
      sw_lng?: number | undefined
      /** Northeast corner of the rectangle. */
      ne_lat?: number | undefined
      /** With ne_lat. */
      ne_lng?: number | undefined
      /** The same rectangle in one parameter: west,south,east,north. */
      bbox?: string | undefined
      /** Center of a circle; requires lng, and radius_km unless sort=distance. */
      lat?: number | undefined
      /** With lat. */
      lng?: number | undefined
      /** Kilometers around lat, lng, measured to the displayed coordinates. */
      radius_km?: number | undefined
      /** Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all. */
      polygon?: Array<string> | undefined
      /** Only listings changed at or after this time. */
      updated_since?: string | undefined
      /** Default: newest. Featured listings come first in every order; updated means latest change first; distance is from lat, lng, which then do not need a radius_km. */
      sort?: 'newest' | 'price_asc' | 'price_desc' | 'updated' | 'relevance' | 'distance' | undefined
      /** Starts at 1. */
      page?: number | undefined
      /** Instead of page: continues where another page ended, even if listings were added or removed since. Do not build one yourself: follow the `Link` header, and keep the other parameters. */
      cursor?: string | undefined
      /** Default 24, or 100 with ids; values over 100 count as 100. */
      limit?: number | undefined
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Only listings of this agent: the slug or the id, as in `GET /agents`. */
      agent?: string | undefined
      /** Only listings of the agents of this agency: the slug or the id, as in `GET /agencies`. */
      agency?: string | undefined
      /** Compares prices of both currencies in this one, in `min_price`, `max_price`, sorts by price and the facet `price`. The rate is returned as `rate`. Without it, nothing is converted. */
      price_in?: 'MXN' | 'USD' | undefined
      /** With price_in: the rate of that day, or the latest before it. Default: the latest. */
      rate_date?: string | undefined
      /** `true` leaves out your own listings. */
      exclude_own?: boolean | undefined
      /** Also counts the results by these, separated by commas: type, state, city, neighborhood, bedrooms, features, price. Each is counted with all other filters, but without its own: `features` without the amenities you chose. `city` and `neighborhood` count whole names, while the filters find parts of a name. */
      facets?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      understood?: Understood | undefined
      pagination: Pagination
      facets?: Facets | undefined
      /** With price_in: the rate at which prices were compared. */
      rate?:
        | {
            date: string
            /** Pesos for one dollar. */
            mxn_per_usd: number
            source: string
          }
        | undefined
      content: Array<Listing>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Create a draft listing. A repeated external_id returns 409 with the id of the existing listing, so a lost response can be retried safely. */
  createListing: {
    request: {
      /** true: every check and the same answer, but nothing is written or sent. */
      dry_run?: boolean | undefined
      /** skip: amenities that GET /meta does not list are left out and named in `warnings`, instead of rejected. */
      unknown_features?: 'skip' | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      body: NewListing
    }
    answer: Listing
  }
  /** Search results on a map. Counts what a search with the same filters finds, in squares of a map: at most 500, those with the most listings first. If there would be more, a smaller zoom is used. */
  clusterListings: {
    request: {
      /** Of a web map: a square is a quarter of a tile wide. Default: what fits the results. */
      zoom?: number | undefined
      /** Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted. */
      ids?: string | undefined
      /** Free text with Spanish stemming; accents are ignored. All words must match. */
      q?: string | undefined
      /** sale: has a sale price; rental: has a rent price. */
      operation?: 'sale' | 'rental' | undefined
      /** Only listings for rent by this period. */
      rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
      /** Property type; repeat for several. */
      type?:
        | Array<
            | 'house'
            | 'apartment'
            | 'land'
            | 'office'
            | 'commercial'
            | 'warehouse'
            | 'ranch'
            | 'building'
            | 'other'
          >
        | undefined
      /** Name of a state; common abbreviations are accepted. */
      state?: State | (string & {}) | undefined
      /** Part of the name; accents and case do not matter. */
      city?: string | undefined
      /** Part of the name; accents and case do not matter. */
      neighborhood?: string | undefined
      /** A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either. */
      place?: string | undefined
      /** Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies. */
      min_price?: number | undefined
      /** See min_price. */
      max_price?: number | undefined
      /** Only listings priced in this currency. */
      currency?: 'MXN' | 'USD' | undefined
      /** Minimum number of bedrooms; 0 means no minimum. */
      min_bedrooms?: number | undefined
      /** Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added. */
      min_bathrooms?: number | undefined
      /** Minimum number of parking spaces. */
      min_parking?: number | undefined
      /** Minimum built area in square meters. */
      min_construction?: number | undefined
      /** Minimum lot area in square meters. */
      min_lot?: number | undefined
      /** Maximum number of bedrooms. */
      max_bedrooms?: number | undefined
      /** Maximum of `bathrooms` as it is written; `half_bathrooms` is not added. */
      max_bathrooms?: number | undefined
      /** Maximum number of parking spaces. */
      max_parking?: number | undefined
      /** Maximum built area in square meters. */
      max_construction?: number | undefined
      /** Maximum lot area in square meters. */
      max_lot?: number | undefined
      /** Minimum number of half bathrooms. */
      min_half_bathrooms?: number | undefined
      /** Maximum number of half bathrooms. */
      max_half_bathrooms?: number | undefined
      /** Built in this year or later. */
      min_year_built?: number | undefined
      /** Built in this year or earlier. */
      max_year_built?: number | undefined
      /** Minimum number of floors. */
      min_floors?: number | undefined
      /** Maximum number of floors. */
      max_floors?: number | undefined
      /** Amenity label; repeat for several. A listing must have them all. */
      features?: Array<Amenity | (string & {})> | undefined
      /** Amenity label; repeat for several. A listing must have none of them. */
      exclude_features?: Array<Amenity | (string & {})> | undefined
      /** Southwest corner of a map rectangle; all four values are required together. */
      sw_lat?: number | undefined
      /** With sw_lat. */
      sw_lng?: number | undefined
      /** Northeast corner of the rectangle. */
      ne_lat?: number | undefined
      /** With ne_lat. */
      ne_lng?: number | undefined
      /** The same rectangle in one parameter: west,south,east,north. */
      bbox?: string | undefined
      /** Center of a circle; requires lng, and radius_km unless sort=distance. */
      lat?: number | undefined
      /** With lat. */
      lng?: number | undefined
      /** Kilometers around lat, lng, measured to the displayed coordinates. */
      radius_km?: number | undefined
      /** Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all. */
      polygon?: Array<string> | undefined
      /** Only listings changed at or after this time. */
      updated_since?: string | undefined
      /** Only listings of this agent: the slug or the id, as in `GET /agents`. */
      agent?: string | undefined
      /** Only listings of the agents of this agency: the slug or the id, as in `GET /agencies`. */
      agency?: string | undefined
      /** Compares prices of both currencies in this one, in `min_price`, `max_price`, sorts by price and the facet `price`. The rate is returned as `rate`. Without it, nothing is converted. */
      price_in?: 'MXN' | 'USD' | undefined
      /** With price_in: the rate of that day, or the latest before it. Default: the latest. */
      rate_date?: string | undefined
      /** `true` leaves out your own listings. */
      exclude_own?: boolean | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      /** The zoom of the squares. */
      zoom: number
      /** The listings in all squares. */
      total: number
      /** Listings found that have no point on the map. */
      without_point: number
      /** With price_in: the rate at which prices were compared. */
      rate?:
        | {
            date: string
            /** Pesos for one dollar. */
            mxn_per_usd: number
            source: string
          }
        | undefined
      content: Array<{
        /** The mean of the displayed points. */
        lat: number
        lng: number
        count: number
        bounds: {
          sw_lat: number
          sw_lng: number
          ne_lat: number
          ne_lng: number
        }
        /** The lowest and the highest price of each operation and currency. */
        prices: Array<{
          operation: 'sale' | 'rental'
          currency: 'MXN' | 'USD'
          min: number
          max: number
        }>
        /** The listing, if it is the only one. */
        id: string | null
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Market prices. Count, median and quartiles of prices and of prices per square meter, of what a search with the same filters finds among public listings. A listing for sale and for rent counts in both; only monthly rents are counted. At most 500 groups, those with the most listings first. */
  marketStatistics: {
    request: {
      /** Groups by these, separated by commas: state, city, neighborhood, type, month. Operations and currencies are always separate. */
      by?: string | undefined
      /** Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted. */
      ids?: string | undefined
      /** Free text with Spanish stemming; accents are ignored. All words must match. */
      q?: string | undefined
      /** sale: has a sale price; rental: has a rent price. */
      operation?: 'sale' | 'rental' | undefined
      /** Only listings for rent by this period. */
      rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
      /** Property type; repeat for several. */
      type?:
        | Array<
            | 'house'
            | 'apartment'
            | 'land'
            | 'office'
            | 'commercial'
            | 'warehouse'
            | 'ranch'
            | 'building'
            | 'other'
          >
        | undefined
      /** Name of a state; common abbreviations are accepted. */
      state?: State | (string & {}) | undefined
      /** Part of the name; accents and case do not matter. */
      city?: string | undefined
      /** Part of the name; accents and case do not matter. */
      neighborhood?: string | undefined
      /** A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either. */
      place?: string | undefined
      /** Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies. */
      min_price?: number | undefined
      /** See min_price. */
      max_price?: number | undefined
      /** Only listings priced in this currency. */
      currency?: 'MXN' | 'USD' | undefined
      /** Minimum number of bedrooms; 0 means no minimum. */
      min_bedrooms?: number | undefined
      /** Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added. */
      min_bathrooms?: number | undefined
      /** Minimum number of parking spaces. */
      min_parking?: number | undefined
      /** Minimum built area in square meters. */
      min_construction?: number | undefined
      /** Minimum lot area in square meters. */
      min_lot?: number | undefined
      /** Maximum number of bedrooms. */
      max_bedrooms?: number | undefined
      /** Maximum of `bathrooms` as it is written; `half_bathrooms` is not added. */
      max_bathrooms?: number | undefined
      /** Maximum number of parking spaces. */
      max_parking?: number | undefined
      /** Maximum built area in square meters. */
      max_construction?: number | undefined
      /** Maximum lot area in square meters. */
      max_lot?: number | undefined
      /** Minimum number of half bathrooms. */
      min_half_bathrooms?: number | undefined
      /** Maximum number of half bathrooms. */
      max_half_bathrooms?: number | undefined
      /** Built in this year or later. */
      min_year_built?: number | undefined
      /** Built in this year or earlier. */
      max_year_built?: number | undefined
      /** Minimum number of floors. */
      min_floors?: number | undefined
      /** Maximum number of floors. */
      max_floors?: number | undefined
      /** Amenity label; repeat for several. A listing must have them all. */
      features?: Array<Amenity | (string & {})> | undefined
      /** Amenity label; repeat for several. A listing must have none of them. */
      exclude_features?: Array<Amenity | (string & {})> | undefined
      /** Southwest corner of a map rectangle; all four values are required together. */
      sw_lat?: number | undefined
      /** With sw_lat. */
      sw_lng?: number | undefined
      /** Northeast corner of the rectangle. */
      ne_lat?: number | undefined
      /** With ne_lat. */
      ne_lng?: number | undefined
      /** The same rectangle in one parameter: west,south,east,north. */
      bbox?: string | undefined
      /** Center of a circle; requires lng, and radius_km unless sort=distance. */
      lat?: number | undefined
      /** With lat. */
      lng?: number | undefined
      /** Kilometers around lat, lng, measured to the displayed coordinates. */
      radius_km?: number | undefined
      /** Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all. */
      polygon?: Array<string> | undefined
      /** Only listings changed at or after this time. */
      updated_since?: string | undefined
      /** Only listings of this agent: the slug or the id, as in `GET /agents`. */
      agent?: string | undefined
      /** Only listings of the agents of this agency: the slug or the id, as in `GET /agencies`. */
      agency?: string | undefined
      /** Compares prices of both currencies in this one, in `min_price`, `max_price`, sorts by price and the facet `price`. The rate is returned as `rate`. Without it, nothing is converted. */
      price_in?: 'MXN' | 'USD' | undefined
      /** With price_in: the rate of that day, or the latest before it. Default: the latest. */
      rate_date?: string | undefined
      /** `true` leaves out your own listings. */
      exclude_own?: boolean | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      /** With price_in: the rate at which prices were compared. */
      rate?:
        | {
            date: string
            /** Pesos for one dollar. */
            mxn_per_usd: number
            source: string
          }
        | undefined
      /** How many more groups there are. */
      other_groups: number
      content: Array<{
        operation: 'sale' | 'rental'
        currency: 'MXN' | 'USD'
        state?: string | undefined
        city?: string | undefined
        neighborhood?: string | undefined
        type?:
          | 'house'
          | 'apartment'
          | 'land'
          | 'office'
          | 'commercial'
          | 'warehouse'
          | 'ranch'
          | 'building'
          | 'other'
          | undefined
        /** The month of publication, in UTC. */
        month?: string | undefined
        count: number
        price: {
          p25: number
          median: number
          p75: number
        }
        /** Per square meter of construction; of land, per square meter of the lot. */
        price_m2: {
          /** Listings with an area. */
          count: number
          p25: number
          median: number
          p75: number
        } | null
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Similar listings. Listings you could find in a search, with the same type, operation, currency and state; the closest in distance, price and size come first. The listing itself is not included. */
  similarListings: {
    request: {
      /** How many, at most. Default 6. */
      limit?: number | undefined
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
    }
    answer: {
      content: Array<Listing>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Complete what is being typed. Completions for a search box: places, property types, amenities, agents and references of listings that start with the end of the text, at any of their words and whatever the accents. Only public listings count. Names of a large market are up to half a minute old. */
  suggest: {
    request: {
      /** What has been typed so far, at least two characters. */
      q?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** How many, at most. Default 8. */
      limit?: number | undefined
    }
    answer: {
      content: Array<{
        /** A listing is found by its `source_id`. */
        kind: 'place' | 'type' | 'amenity' | 'agent' | 'listing'
        /** What the end of the text is completed to. */
        label: string
        /** The whole text, completed, for the search box or for `ask`. */
        text: string
        /** Public listings that the parameters find. */
        count: number
        /** The search for it: parameters of `GET /properties`. */
        parameters: Record<string, string>
        /** The public page of an agent or a listing. */
        url: string | null
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Update a listing. Only the fields you send change; null clears a field. The status does not change and no webhook is sent. */
  updateListing: {
    request: {
      /** true: every check and the same answer, but nothing is written or sent. */
      dry_run?: boolean | undefined
      /** skip: amenities that GET /meta does not list are left out and named in `warnings`, instead of rejected. */
      unknown_features?: 'skip' | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
      body: ListingChanges
    }
    answer: Listing
  }
  /** One listing. A published listing of a verified agent, or one of your own in any status. */
  getListing: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
    }
    answer: Listing
  }
  /** Withdraw a listing. Takes the listing off the market. The record is kept: you can still read it, and publishing brings it back. Sends `listing.unpublished` if it was published. */
  withdrawListing: {
    request: {
      /** The listing’s UUID or slug. */
      id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Create or update a listing, by your own id. Creates a draft if you have no listing with this external_id, with the rules of POST /properties; otherwise changes the fields you send, with the rules of PUT /properties/{id}. The same call again changes nothing: the version and updated_at stay. With If-Match, nothing is created. */
  putMyListing: {
    request: {
      /** true: every check and the same answer, but nothing is written or sent. */
      dry_run?: boolean | undefined
      /** skip: amenities that GET /meta does not list are left out and named in `warnings`, instead of rejected. */
      unknown_features?: 'skip' | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** Your own id for the listing, percent-encoded. */
      external_id: string
      body: ListingChanges
    }
    answer: Listing
  }
  /** One listing, by your own id. One of your own listings in any status, by the external_id you gave it. */
  getMyListing: {
    request: {
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** Your own id for the listing, percent-encoded. */
      external_id: string
    }
    answer: Listing
  }
  /** Withdraw a listing, by your own id. Takes the listing off the market. The record is kept: you can still read it, and publishing brings it back. Sends `listing.unpublished` if it was published. */
  withdrawMyListing: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** Your own id for the listing, percent-encoded. */
      external_id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Create or update up to 100 listings, by your own ids. Each item is a transaction of its own, processed in the order given: a rejected item does not stop the others. `set` follows the rules of PUT /my/properties/{external_id}. `status` is the status to set; if the listing already has it, nothing happens. Counts as one request. */
  putMyListings: {
    request: {
      /** true: every check and the same answer, but nothing is written or sent. */
      dry_run?: boolean | undefined
      /** skip: amenities that GET /meta does not list are left out and named in `warnings`, instead of rejected. */
      unknown_features?: 'skip' | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      body: Batch
    }
    answer: {
      content: Array<{
        /** As you sent it; null if it was not text. */
        external_id: string | null
        result: 'created' | 'changed' | 'unchanged' | 'refused'
        id?: string | undefined
        /** Changes whenever anything in the record changes, including an image, the agent or the agency. */
        version?: string | undefined
        /** If refused: the code a single request would get. */
        error?: string | undefined
        message?: string | undefined
        /** With `validation`: what is wrong. */
        errors?: Array<string> | undefined
        /** With 422: the problems of `errors`, in the same order, for programs. */
        details?:
          | Array<{
              /** The field or parameter. */
              field: string
              /** The entry of a list, from 0. */
              index?: number | undefined
              /** Compare this, not the message. The list is complete. */
              code:
                | 'required'
                | 'required_with'
                | 'required_by'
                | 'requires'
                | 'needed_by'
                | 'not_with'
                | 'null_not_allowed'
                | 'empty'
                | 'repeated'
                | 'not_an_object'
                | 'not_a_list'
                | 'not_text'
                | 'not_a_number'
                | 'not_an_integer'
                | 'not_a_boolean'
                | 'not_a_time'
                | 'not_a_day'
                | 'no_rate'
                | 'not_an_email'
                | 'not_a_url'
                | 'not_a_public_url'
                | 'not_ids'
                | 'not_a_price'
                | 'not_a_percentage'
                | 'not_a_postal_code'
                | 'invalid_characters'
                | 'no_letters'
                | 'too_short'
                | 'too_long'
                | 'out_of_range'
                | 'too_many_decimals'
                | 'too_many_items'
                | 'too_many_images'
                | 'greater_than'
                | 'unknown_value'
                | 'unknown_state'
                | 'unknown_amenity'
                | 'unknown_image'
                | 'id_mismatch'
                | 'not_a_key'
                | 'key_reused'
                | 'reserved'
                | 'price_required'
                | 'currency_mismatch'
                | 'outside_mexico'
                | 'not_a_place'
                | 'country_center'
                | 'not_a_box'
                | 'not_a_polygon'
                | 'too_many_points'
                | 'foreign_cursor'
                | 'not_a_prefix'
                | 'unknown_field'
              /** The same message as in `errors`. */
              message: string
            }>
          | undefined
        /** What was ignored in this item. */
        warnings?: Array<string> | undefined
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Add images by URL. Images are linked, not copied, in the order given; the first becomes the cover if there is none. All are added or none. */
  addImages: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
      body: ImageUrls
    }
    answer: {
      /** All images of the listing, in order. */
      media: Array<{
        id: string
        url: string
        thumb: string
        position: number
        cover: boolean
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Put the images in order. The first becomes the cover. Images you do not name follow in their present order; to remove one, use DELETE. */
  orderImages: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
      body: ImageOrder
    }
    answer: {
      /** All images of the listing, in order. */
      media: Array<{
        id: string
        url: string
        thumb: string
        position: number
        cover: boolean
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Remove one image. The next image becomes the cover if it was the first. */
  removeImage: {
    request: {
      /** The listing’s UUID or slug. */
      id: string
      /** As in the `images` of its record. */
      image_id: string
    }
    answer: {
      /** All images of the listing, in order. */
      media: Array<{
        id: string
        url: string
        thumb: string
        position: number
        cover: boolean
      }>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Your listings in every status. The 500 most recently changed; `Link` leads to the others. A listing that changes while you read moves to the front: to keep a copy, use `GET /changes?scope=own`. */
  listMyListings: {
    request: {
      /** Only listings in this status. */
      status?: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended' | undefined
      /** Default 500; values over 500 count as 500. */
      limit?: number | undefined
      /** Continues where another page ended. Do not build one yourself: follow the `Link` header. */
      cursor?: string | undefined
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<Listing>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Publish, or reconfirm a published listing. The listing appears on the exchange at once. It needs at least one price. Publishing again reconfirms that it is still available. Sends `listing.published`. */
  publishListing: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Unpublish a listing (back to draft). No one else can see the listing anymore. Sends `listing.unpublished` if it was published. */
  unpublishListing: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The listing’s UUID or slug. */
      id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Publish, or reconfirm a published listing, by your own id. The listing appears on the exchange at once. It needs at least one price. Publishing again reconfirms that it is still available. Sends `listing.published`. */
  publishMyListing: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** Your own id for the listing, percent-encoded. */
      external_id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Unpublish a listing (back to draft), by your own id. No one else can see the listing anymore. Sends `listing.unpublished` if it was published. */
  unpublishMyListing: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** Your own id for the listing, percent-encoded. */
      external_id: string
    }
    answer: {
      ok: boolean
      status: 'draft' | 'published' | 'withdrawn' | 'sold' | 'rented' | 'expired' | 'suspended'
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Changes to apply to your copy. Without a cursor, everything; with a cursor, what has changed since: each listing once, in its current state. Apply all pages in order and your copy is exactly what your key may show. Repeating a request with an old cursor is always safe. */
  listChanges: {
    request: {
      /** From the previous response, with the same other parameters. Omit it for the first load. */
      cursor?: string | undefined
      /** Maximum changes per response; default 500. */
      limit?: number | undefined
      /** Seconds to wait if there are no changes: the response is sent as soon as there is one, or empty after that time. Default 0. */
      wait?: number | undefined
      /** all (default): everything the key can see. own: your inventory in any status. */
      scope?: 'all' | 'own' | undefined
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted. */
      ids?: string | undefined
      /** Free text with Spanish stemming; accents are ignored. All words must match. */
      q?: string | undefined
      /** sale: has a sale price; rental: has a rent price. */
      operation?: 'sale' | 'rental' | undefined
      /** Only listings for rent by this period. */
      rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
      /** Property type; repeat for several. */
      type?:
        | Array<
            | 'house'
            | 'apartment'
            | 'land'
            | 'office'
            | 'commercial'
            | 'warehouse'
            | 'ranch'
            | 'building'
            | 'other'
          >
        | undefined
      /** Name of a state; common abbreviations are accepted. */
      state?: State | (string & {}) | undefined
      /** Part of the name; accents and case do not matter. */
      city?: string | undefined
      /** Part of the name; accents and case do not matter. */
      neighborhood?: string | undefined
      /** A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either. */
      place?: string | undefined
      /** Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies. */
      min_price?: number | undefined
      /** See min_price. */
      max_price?: number | undefined
      /** Only listings priced in this currency. */
      currency?: 'MXN' | 'USD' | undefined
      /** Minimum number of bedrooms; 0 means no minimum. */
      min_bedrooms?: number | undefined
      /** Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added. */
      min_bathrooms?: number | undefined
      /** Minimum number of parking spaces. */
      min_parking?: number | undefined
      /** Minimum built area in square meters. */
      min_construction?: number | undefined
      /** Minimum lot area in square meters. */
      min_lot?: number | undefined
      /** Maximum number of bedrooms. */
      max_bedrooms?: number | undefined
      /** Maximum of `bathrooms` as it is written; `half_bathrooms` is not added. */
      max_bathrooms?: number | undefined
      /** Maximum number of parking spaces. */
      max_parking?: number | undefined
      /** Maximum built area in square meters. */
      max_construction?: number | undefined
      /** Maximum lot area in square meters. */
      max_lot?: number | undefined
      /** Minimum number of half bathrooms. */
      min_half_bathrooms?: number | undefined
      /** Maximum number of half bathrooms. */
      max_half_bathrooms?: number | undefined
      /** Built in this year or later. */
      min_year_built?: number | undefined
      /** Built in this year or earlier. */
      max_year_built?: number | undefined
      /** Minimum number of floors. */
      min_floors?: number | undefined
      /** Maximum number of floors. */
      max_floors?: number | undefined
      /** Amenity label; repeat for several. A listing must have them all. */
      features?: Array<Amenity | (string & {})> | undefined
      /** Amenity label; repeat for several. A listing must have none of them. */
      exclude_features?: Array<Amenity | (string & {})> | undefined
      /** Southwest corner of a map rectangle; all four values are required together. */
      sw_lat?: number | undefined
      /** With sw_lat. */
      sw_lng?: number | undefined
      /** Northeast corner of the rectangle. */
      ne_lat?: number | undefined
      /** With ne_lat. */
      ne_lng?: number | undefined
      /** The same rectangle in one parameter: west,south,east,north. */
      bbox?: string | undefined
      /** Center of a circle; requires lng, and radius_km unless sort=distance. */
      lat?: number | undefined
      /** With lat. */
      lng?: number | undefined
      /** Kilometers around lat, lng, measured to the displayed coordinates. */
      radius_km?: number | undefined
      /** Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all. */
      polygon?: Array<string> | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<
        | {
            op: 'put'
            id: string
            /** Changes whenever anything in the record changes, including an image, the agent or the agency. */
            version: string
            listing: Listing
          }
        | {
            op: 'remove'
            id: string
            /** Changes whenever anything in the record changes, including an image, the agent or the agency. */
            version: string
          }
      >
      /** For the next GET /changes with the same parameters. */
      cursor: string
      /** There are more changes: call again immediately. */
      more: boolean
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Verify your copy. If count and hash match, your copy is correct as of the cursor. Otherwise compare the buckets, then the ids in those that differ, and fetch the listings with GET /properties?ids=. */
  getDigest: {
    request: {
      /** all (default): everything the key can see. own: your inventory in any status. */
      scope?: 'all' | 'own' | undefined
      /** Return the ids and versions of one bucket: the first two digits of the id. */
      prefix?: string | undefined
      /** As you send it with GET /changes, so that `cursor` can be used there. It changes nothing else. */
      fields?: string | undefined
      /** Only these listings: up to 100 UUIDs, separated by commas. Listings that do not exist or that you cannot see are omitted. */
      ids?: string | undefined
      /** Free text with Spanish stemming; accents are ignored. All words must match. */
      q?: string | undefined
      /** sale: has a sale price; rental: has a rent price. */
      operation?: 'sale' | 'rental' | undefined
      /** Only listings for rent by this period. */
      rent_period?: 'monthly' | 'weekly' | 'daily' | 'yearly' | undefined
      /** Property type; repeat for several. */
      type?:
        | Array<
            | 'house'
            | 'apartment'
            | 'land'
            | 'office'
            | 'commercial'
            | 'warehouse'
            | 'ranch'
            | 'building'
            | 'other'
          >
        | undefined
      /** Name of a state; common abbreviations are accepted. */
      state?: State | (string & {}) | undefined
      /** Part of the name; accents and case do not matter. */
      city?: string | undefined
      /** Part of the name; accents and case do not matter. */
      neighborhood?: string | undefined
      /** A place as people write it: a neighborhood, city, municipality or state, including common short names. Parts after a comma narrow it; "o" or "or" between names means either. */
      place?: string | undefined
      /** Compared with the sale price when operation=sale, the rent when operation=rental, otherwise either. No conversion between currencies. */
      min_price?: number | undefined
      /** See min_price. */
      max_price?: number | undefined
      /** Only listings priced in this currency. */
      currency?: 'MXN' | 'USD' | undefined
      /** Minimum number of bedrooms; 0 means no minimum. */
      min_bedrooms?: number | undefined
      /** Minimum of `bathrooms` as it is written, which may be 2.5; `half_bathrooms` is not added. */
      min_bathrooms?: number | undefined
      /** Minimum number of parking spaces. */
      min_parking?: number | undefined
      /** Minimum built area in square meters. */
      min_construction?: number | undefined
      /** Minimum lot area in square meters. */
      min_lot?: number | undefined
      /** Maximum number of bedrooms. */
      max_bedrooms?: number | undefined
      /** Maximum of `bathrooms` as it is written; `half_bathrooms` is not added. */
      max_bathrooms?: number | undefined
      /** Maximum number of parking spaces. */
      max_parking?: number | undefined
      /** Maximum built area in square meters. */
      max_construction?: number | undefined
      /** Maximum lot area in square meters. */
      max_lot?: number | undefined
      /** Minimum number of half bathrooms. */
      min_half_bathrooms?: number | undefined
      /** Maximum number of half bathrooms. */
      max_half_bathrooms?: number | undefined
      /** Built in this year or later. */
      min_year_built?: number | undefined
      /** Built in this year or earlier. */
      max_year_built?: number | undefined
      /** Minimum number of floors. */
      min_floors?: number | undefined
      /** Maximum number of floors. */
      max_floors?: number | undefined
      /** Amenity label; repeat for several. A listing must have them all. */
      features?: Array<Amenity | (string & {})> | undefined
      /** Amenity label; repeat for several. A listing must have none of them. */
      exclude_features?: Array<Amenity | (string & {})> | undefined
      /** Southwest corner of a map rectangle; all four values are required together. */
      sw_lat?: number | undefined
      /** With sw_lat. */
      sw_lng?: number | undefined
      /** Northeast corner of the rectangle. */
      ne_lat?: number | undefined
      /** With ne_lat. */
      ne_lng?: number | undefined
      /** The same rectangle in one parameter: west,south,east,north. */
      bbox?: string | undefined
      /** Center of a circle; requires lng, and radius_km unless sort=distance. */
      lat?: number | undefined
      /** With lat. */
      lng?: number | undefined
      /** Kilometers around lat, lng, measured to the displayed coordinates. */
      radius_km?: number | undefined
      /** Only listings whose displayed point is inside: a GeoJSON Polygon or MultiPolygon, holes included, or `lat,lng;lat,lng;…`. Repeat for several areas; up to 500 points in all. */
      polygon?: Array<string> | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      /** For the next GET /changes with the same parameters. */
      cursor: string
      count: number
      /** XOR of the first 8 bytes of SHA-256(id + ":" + version) of each listing; 0000000000000000 if there are none. */
      hash: string
      /** The requested prefix. */
      prefix?: string | undefined
      /** Without prefix: all 256, by the first two digits of the id. */
      buckets?:
        | Array<{
            prefix: string
            count: number
            /** XOR of the first 8 bytes of SHA-256(id + ":" + version) of each listing; 0000000000000000 if there are none. */
            hash: string
          }>
        | undefined
      /** With prefix: the listings of that bucket, by id. */
      content?:
        | Array<{
            id: string
            /** Changes whenever anything in the record changes, including an image, the agent or the agency. */
            version: string
          }>
        | undefined
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Read your events. Your own events, oldest first, as webhooks send them and whether or not you have a webhook. Without a cursor, from the oldest event kept; with a cursor, what came after it. */
  listEvents: {
    request: {
      /** From the previous response. Omit it to start with the oldest event kept. */
      cursor?: string | undefined
      /** Maximum events per response; default 100. */
      limit?: number | undefined
      /** Seconds to wait if there are no events: the response is sent as soon as there is one, or empty after that time. Default 0. */
      wait?: number | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<WebhookEvent>
      /** For the next GET /events. */
      cursor: string
      /** There are more events: call again immediately. */
      more: boolean
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Create a lead. Assigned to you. You get the usual email notice but no webhook. */
  createLead: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      body: NewLead
    }
    answer: Lead
  }
  /** Your latest leads. The latest 500; `Link` leads to the others. They contain personal data; read-only keys see them too. */
  listLeads: {
    request: {
      /** Only leads changed at or after this time. */
      updated_since?: string | undefined
      /** Default 500; values over 500 count as 500. */
      limit?: number | undefined
      /** Continues where another page ended. Do not build one yourself: follow the `Link` header. */
      cursor?: string | undefined
      /** Only these fields, separated by commas; use `.` for a nested field. All others are omitted. `id` is always included. */
      fields?: string | undefined
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
    }
    answer: {
      content: Array<Lead>
      /** Only if something was ignored: parameters and body fields that do not exist. Correct them, or drop them. */
      warnings?: Array<string> | undefined
    }
  }
  /** Change the stage of a lead, its follow-up, or add a note. Only the fields you send change. You are not sent a webhook for your own change; a stage changed in the portal sends `lead.updated`. */
  updateLead: {
    request: {
      /** Language of `message`, `errors` and `details` in a 422, and of `warnings`. Default: Accept-Language, or else English. */
      lang?: 'en' | 'es' | undefined
      /** The lead’s UUID. */
      id: string
      body: LeadChanges
    }
    answer: Lead
  }
  /** This description. OpenAPI 3.0, for code generators and API clients. No key is needed. */
  getDescription: { request: object; answer: Record<string, unknown> }
}
