// The colours and motifs of each genre. The first distinctive genre of a series decides; "drama" and "action" count
// last, because half of the catalogue is also "drama" and a quarter "action".
import type { Motif } from './motifs.ts'

export interface Palette {
  /** The background, the shapes on it, and their highlights. */
  readonly ground: string
  readonly shape: string
  readonly light: string
  /** The title's plate and the band at the foot. The ink on each has AA contrast or better. */
  readonly plate: string
  readonly plateInk: string
  readonly band: string
  readonly bandInk: string
}

interface Family {
  readonly genres: readonly string[]
  readonly palettes: readonly Palette[]
  readonly motifs: readonly Motif[]
}

const palette = (...colours: [string, string, string, string, string, string, string]): Palette => {
  const [ground, shape, light, plate, plateInk, band, bandInk] = colours
  return { ground, shape, light, plate, plateInk, band, bandInk }
}

const families: readonly Family[] = [
  {
    genres: ['horror', 'dark-fantasy', 'crime', 'survival'],
    palettes: [
      palette('#1b1820', '#8f1d24', '#e8ddd0', '#0e0c11', '#f4ece0', '#8f1d24', '#fff5ee'),
      palette('#22262b', '#5a6a6f', '#d7dedb', '#f1ede4', '#17191c', '#17191c', '#f1ede4'),
      palette('#2a1418', '#c23a2b', '#f0d9b8', '#f0d9b8', '#2a1418', '#120a0c', '#f0d9b8'),
    ],
    motifs: ['shards', 'rain', 'rays', 'moon'],
  },
  {
    genres: ['sports', 'martial-arts', 'game'],
    palettes: [
      palette('#f26a21', '#b93c0b', '#ffe9c7', '#fffaf0', '#1c1410', '#12233f', '#ffffff'),
      palette('#1464b4', '#0b3f7d', '#cfe8ff', '#ffffff', '#0b2345', '#ffd23f', '#1a1a1a'),
      palette('#d7263d', '#8d1224', '#ffe3df', '#fffdf8', '#1a1012', '#1a1012', '#ffffff'),
    ],
    motifs: ['rays', 'stripes', 'halftone', 'shards'],
  },
  {
    genres: ['cyberpunk', 'mecha', 'sci-fi', 'post-apocalyptic', 'time-travel'],
    palettes: [
      palette('#0e2433', '#1d6f7d', '#7fe3d4', '#e9f7f3', '#0b1c26', '#c8322a', '#ffffff'),
      palette('#241a45', '#5a3fb0', '#c9bbff', '#f3f0ff', '#1b1335', '#1b1335', '#d9ceff'),
      palette('#c9d3d4', '#72898f', '#f5fafa', '#11212b', '#eef6f6', '#c7372f', '#ffffff'),
    ],
    motifs: ['circuits', 'orbits', 'grid', 'halftone'],
  },
  {
    genres: ['samurai', 'historical', 'war'],
    palettes: [
      palette('#e7d8bd', '#b5452c', '#fbf3e2', '#fbf6ea', '#231a14', '#25324d', '#fdf6e7'),
      palette('#25324d', '#4d6390', '#d9c9a3', '#f6eeda', '#1a2236', '#a8392a', '#fff7ea'),
      palette('#6b7a4b', '#465330', '#ece3c4', '#f9f4e3', '#22260f', '#2a2c1c', '#f3ecd3'),
    ],
    motifs: ['waves', 'sun', 'checks', 'hills'],
  },
  {
    genres: ['romance', 'boys-love', 'yuri'],
    palettes: [
      palette('#f7c6c9', '#e27f8d', '#fff3f1', '#fffaf8', '#5a1f33', '#a83a58', '#ffffff'),
      palette('#d8cdf0', '#9c86cf', '#fbf8ff', '#fffdff', '#35265c', '#5b4494', '#ffffff'),
      palette('#fde2c5', '#f0a487', '#fffaf2', '#fffdf9', '#5c2a1b', '#9c4330', '#ffffff'),
    ],
    motifs: ['petals', 'bubbles', 'sun', 'waves'],
  },
  {
    genres: ['music'],
    palettes: [
      palette('#2b1b3d', '#c2338a', '#ffd166', '#fff7ea', '#2b1b3d', '#c2338a', '#ffffff'),
      palette('#12343b', '#e07a2f', '#fbe6c8', '#fdf6e9', '#12343b', '#12343b', '#fbe6c8'),
    ],
    motifs: ['orbits', 'stripes', 'bubbles'],
  },
  {
    genres: ['cooking', 'animals', 'slice-of-life', 'work', 'medical'],
    palettes: [
      palette('#cfe0c3', '#7fa56f', '#fbfdf5', '#fffef9', '#26371f', '#33562c', '#f7fbee'),
      palette('#fbe3a9', '#e3a33b', '#fffaea', '#fffdf6', '#45300b', '#7a4f0b', '#fff9e8'),
      palette('#bfdfe6', '#6aaabb', '#f6fcfd', '#ffffff', '#173b45', '#1d5565', '#f1fbfd'),
    ],
    motifs: ['hills', 'bubbles', 'checks', 'petals'],
  },
  {
    genres: ['supernatural', 'mystery', 'psychological', 'thriller'],
    palettes: [
      palette('#33264d', '#7a5ba6', '#e8dcc2', '#f7f1e3', '#241a38', '#1b1429', '#e8dcc2'),
      palette('#19363a', '#3f7f7a', '#e3e0c8', '#f5f3e4', '#102528', '#9a3324', '#fff5ea'),
      palette('#3a3a40', '#8d8d97', '#f1efe9', '#f6f4ee', '#1d1d21', '#1d1d21', '#f1efe9'),
    ],
    motifs: ['moon', 'waves', 'rain', 'orbits'],
  },
  {
    genres: ['fantasy', 'adventure', 'isekai'],
    palettes: [
      palette('#1f6f5c', '#0f4438', '#f2d58a', '#fbf6e3', '#0d2f27', '#b8860b', '#1a1405'),
      palette('#3b4fa3', '#25347a', '#f6cf7a', '#fdf8ea', '#1a2350', '#1a2350', '#f9dc9b'),
      palette('#e5b25d', '#b5742a', '#fff5da', '#fffaea', '#3c2408', '#7c2f1f', '#fff5e6'),
    ],
    motifs: ['hills', 'sun', 'rays', 'orbits'],
  },
  {
    genres: ['comedy', 'school'],
    palettes: [
      palette('#ffd34e', '#f29f05', '#fffbe6', '#ffffff', '#2b2107', '#d7263d', '#ffffff'),
      palette('#8fd3e8', '#3aa0c2', '#f3fcff', '#ffffff', '#0c3341', '#0c4257', '#f3fcff'),
      palette('#a8dd8c', '#5daa3d', '#f8fff2', '#ffffff', '#1d3811', '#2c5a1a', '#f8fff2'),
    ],
    motifs: ['halftone', 'stripes', 'bubbles', 'checks'],
  },
]

const actionFamily: Family = {
  genres: ['action'],
  palettes: [
    palette('#c8332b', '#861a15', '#ffe7cf', '#fff9ef', '#1c0d0b', '#151515', '#ffffff'),
    palette('#23272e', '#e0a526', '#f7edd4', '#f7edd4', '#16181c', '#e0a526', '#16181c'),
    palette('#2d4a73', '#16294a', '#f0e2c8', '#fbf5e7', '#101d36', '#c8332b', '#ffffff'),
  ],
  motifs: ['rays', 'shards', 'halftone', 'stripes'],
}

/** For drama, and for genres that only one shop has. */
const everydayFamily: Family = {
  genres: [],
  palettes: [
    palette('#8c3b3b', '#5e2222', '#f2dfc9', '#fbf4e8', '#331212', '#2b1111', '#f5e6d3'),
    palette('#5b6f82', '#3b4c5d', '#eae6da', '#f8f5ec', '#1e2a36', '#1e2a36', '#eef2f4'),
    palette('#b8a08a', '#8a715a', '#faf3ea', '#fdfaf4', '#33261a', '#4a3524', '#fbf1e6'),
  ],
  motifs: ['hills', 'sun', 'waves', 'stripes'],
}

/** For a card without genres: ink on paper, which does not conflict with any other cover. */
const inkFamily: Family = {
  ...everydayFamily,
  palettes: [palette('#d9d3c7', '#8b857a', '#f6f2ea', '#fbf8f2', '#26221d', '#2e2a25', '#f6f2ea')],
}

export function familyOf(genres: readonly string[] | undefined): Family {
  if (genres === undefined || genres.length === 0) return inkFamily
  for (const genre of genres) {
    const family = families.find((one) => one.genres.includes(genre))
    if (family !== undefined) return family
  }
  return genres.includes('action') ? actionFamily : everydayFamily
}

export const everyPalette: readonly Palette[] = [...families, actionFamily, everydayFamily, inkFamily].flatMap(
  ({ palettes }) => palettes,
)
