// What shoppers call genres, moods and readerships, in both languages, and what we call them back. The keys are
// the words of the catalogue's data.
import type { Language } from '@mangaassist/protocol'

interface Entry {
  /** How we say it; the first thing a shopper might say too. */
  readonly label: Readonly<Record<Language, string>>
  /** What shoppers also say. */
  readonly said: Readonly<Record<Language, readonly string[]>>
}

const entry = (ja: string, en: string, jaSaid: string, enSaid: string): Entry => ({
  label: { ja, en },
  said: { ja: list(jaSaid), en: list(enSaid) },
})
const list = (words: string): readonly string[] => (words === '' ? [] : words.split('、'))

export const GENRES: Readonly<Record<string, Entry>> = {
  action: entry('アクション', 'action', 'バトル、戦闘、アクションもの', 'battle、battles、fighting、shonen battle'),
  adventure: entry('冒険', 'adventure', 'アドベンチャー、旅、旅もの', 'adventures、journey、quest'),
  animals: entry('動物', 'animals', '犬、猫、ペット', 'animal、dogs、cats、pets'),
  comedy: entry(
    'コメディ',
    'comedy',
    'コメディー、ギャグ、お笑い、ギャグ漫画、ラブコメ',
    'comedies、gag、romcom、rom com',
  ),
  cooking: entry('料理', 'cooking', 'グルメ、ごはん、食べ物、飯テロ、料理もの', 'food、gourmet、cuisine、chef'),
  crime: entry('犯罪', 'crime', 'クライム、ヤクザ、裏社会、マフィア', 'yakuza、gangster、gangsters、mafia、heist'),
  cyberpunk: entry('サイバーパンク', 'cyberpunk', '', ''),
  'dark-fantasy': entry('ダークファンタジー', 'dark fantasy', 'ダーク・ファンタジー', 'grimdark'),
  drama: entry('ドラマ', 'drama', '人間ドラマ、ヒューマンドラマ', 'dramas、human drama'),
  fantasy: entry('ファンタジー', 'fantasy', '魔法、剣と魔法', 'magic、swords and sorcery'),
  game: entry(
    'ゲーム・勝負事',
    'games',
    '囲碁、将棋、麻雀、かるた、ギャンブル、カードゲーム',
    'shogi、go board game、gambling、mahjong、board game',
  ),
  historical: entry('歴史', 'historical', '時代劇、時代もの、歴史もの、戦国、三国志', 'history、period piece'),
  horror: entry('ホラー', 'horror', '怖い、怖い話、怪談、恐怖', 'scary、creepy、frightening、spooky'),
  isekai: entry('異世界', 'isekai', '転生、異世界転生', 'another world、reincarnation'),
  'martial-arts': entry(
    '格闘技',
    'martial arts',
    '格闘、武術、拳法、空手、柔道',
    'kung fu、karate、judo、fighting tournament',
  ),
  mecha: entry('ロボット', 'mecha', 'メカ、ロボットもの、巨大ロボット', 'robots、giant robots、robot'),
  medical: entry('医療', 'medical', '医者、病院、医療もの、ドクター', 'doctor、doctors、hospital、medicine'),
  music: entry(
    '音楽',
    'music',
    'バンド、ピアノ、ロック、クラシック音楽',
    'band、piano、rock band、musician、musicians',
  ),
  mystery: entry('ミステリー', 'mystery', 'ミステリ、推理、探偵、謎解き、推理もの', 'detective、whodunit、mysteries'),
  'post-apocalyptic': entry(
    '終末もの',
    'post-apocalyptic',
    '終末、ポストアポカリプス、荒廃した世界',
    'apocalypse、apocalyptic、post apocalyptic、end of the world',
  ),
  psychological: entry('心理もの', 'psychological', '心理戦、心理、頭脳戦、サイコ', 'mind games、psychology'),
  romance: entry(
    '恋愛',
    'romance',
    '恋、ラブコメ、ラブストーリー、恋愛もの、純愛、恋物語',
    'love story、love stories、love manga、romcom、rom com',
  ),
  samurai: entry('侍', 'samurai', 'サムライ、剣客、剣豪、武士', 'swordsman、swordsmen、ronin'),
  school: entry('学園', 'school', '学校、高校、学園もの、部活', 'high school、school life、students'),
  'sci-fi': entry(
    'SF',
    'science fiction',
    'サイエンスフィクション、宇宙、近未来、SFもの',
    'sci fi、scifi、space、futuristic',
  ),
  'slice-of-life': entry(
    '日常',
    'slice of life',
    '日常系、日常もの、暮らし',
    'everyday life、daily life、slice of life',
  ),
  sports: entry(
    'スポーツ',
    'sports',
    '野球、サッカー、バスケ、バスケットボール、バレー、バレーボール、テニス、ボクシング、自転車、スポ根',
    'sport、baseball、soccer、football、basketball、volleyball、tennis、boxing、cycling',
  ),
  supernatural: entry(
    '怪異・超常',
    'supernatural',
    '妖怪、幽霊、オカルト、怪異、霊、超能力、死神',
    'ghosts、ghost、spirits、occult、yokai、psychic',
  ),
  survival: entry('サバイバル', 'survival', 'デスゲーム、生き残り', 'death game、survive'),
  thriller: entry('サスペンス', 'thriller', 'スリラー、サスペンスもの', 'suspense、thrillers'),
  'time-travel': entry(
    'タイムトラベル',
    'time travel',
    'タイムリープ、タイムスリップ、タイムループ、過去に戻る',
    'time loop、time leap、time slip',
  ),
  war: entry('戦争', 'war', '戦記、戦争もの、軍隊', 'military、wars、soldiers'),
  work: entry(
    'お仕事もの',
    'working life',
    'お仕事、職業もの、会社、お仕事漫画、仕事もの',
    'workplace、jobs、office、career',
  ),
  yuri: entry('百合', 'yuri', 'ガールズラブ、女の子同士', 'girls love、girls’ love、gl'),
  'boys-love': entry('BL', 'boys’ love', 'ボーイズラブ、男の子同士', 'boys love、bl'),
}

export const MOODS: Readonly<Record<string, Entry>> = {
  dark: entry(
    'ダークな',
    'dark',
    'ダーク、暗い、暗め、重い、重め、重厚、シリアス、ブラック',
    'darker、grim、serious、heavy、bleak、heavier',
  ),
  light: entry(
    '気軽に読める',
    'light',
    '明るい、明るめ、軽い、軽め、気軽、ライト',
    'lighter、light hearted、lighthearted、easy、cheerful、upbeat',
  ),
  funny: entry('笑える', 'funny', '面白おかしい、笑いたい、爆笑、笑えて', 'funnier、hilarious、laugh、humorous、silly'),
  heartwarming: entry(
    '心温まる',
    'heartwarming',
    'ほっこり、癒さ、癒やさ、癒し、癒やし、癒される、癒やされる、心あたたまる、温かい、優しい',
    'heart warming、wholesome、warm、sweet、comforting、feel good',
  ),
  tense: entry(
    '緊迫感のある',
    'tense',
    'ハラハラ、緊張感、緊迫、手に汗握る',
    'suspenseful、nail biting、gripping、edge of my seat',
  ),
  sad: entry(
    '泣ける',
    'sad',
    '泣きたい、悲しい、涙、感動、感動的、泣けて',
    'sadder、cry、tearjerker、tear jerker、tearjerkers、tear jerkers、weepy、moving、tragic',
  ),
  hopeful: entry(
    '前向きになれる',
    'hopeful',
    '前向き、希望、元気が出る、元気になれる、元気',
    'uplifting、inspiring、encouraging、optimistic',
  ),
  epic: entry('壮大な', 'epic', '壮大、スケールの大きい、大河、スケール', 'grand、sweeping、saga'),
  quiet: entry('静かな', 'quiet', '静か、落ち着いた、しっとり、穏やか', 'calm、gentle、peaceful、quieter、slow'),
  stylish: entry('スタイリッシュな', 'stylish', 'おしゃれ、かっこいい、スタイリッシュ、クール', 'cool、slick'),
  thoughtful: entry(
    '考えさせられる',
    'thoughtful',
    '深い、哲学的、考えさせる、社会派',
    'deep、philosophical、thought provoking、literary',
  ),
  bittersweet: entry(
    'ほろ苦い',
    'bittersweet',
    '切ない、せつない、甘酸っぱい、ほろにがい',
    'melancholy、melancholic、wistful',
  ),
  thrilling: entry(
    '熱い',
    'thrilling',
    'スリリング、燃える、ワクワク、わくわく、手に汗',
    'exciting、thrill、hype、adrenaline',
  ),
  romantic: entry('ときめく', 'romantic', 'ロマンチック、キュンキュン、胸キュン、ときめき、キュン', 'swoony'),
  nostalgic: entry('懐かしい', 'nostalgic', 'なつかしい、ノスタルジック、レトロ、昭和', 'retro、nostalgia、old school'),
  strange: entry(
    '不思議な',
    'strange',
    '不思議、奇妙、変わった、シュール、不条理',
    'weird、surreal、bizarre、odd、quirky、unusual',
  ),
  gritty: entry('骨太な', 'gritty', '骨太、ハード、泥臭い、リアル、バイオレンス', 'violent、brutal、realistic、raw'),
  cosy: entry(
    'のんびりした',
    'cosy',
    'のんびり、ゆるい、まったり、ゆるふわ、ゆったり',
    'cozy、relaxing、relaxed、laid back、chill',
  ),
}

export const READERSHIPS: Readonly<Record<string, Entry>> = {
  shounen: entry('少年漫画', 'shonen', '少年マンガ、少年向け、少年誌', 'shounen、shōnen、boys manga'),
  shoujo: entry('少女漫画', 'shojo', '少女マンガ、少女向け、少女誌', 'shoujo、shōjo、girls manga'),
  seinen: entry('青年漫画', 'seinen', '青年マンガ、青年向け、大人向け、青年誌', 'adult readers、for adults、mature'),
  josei: entry('女性漫画', 'josei', '女性向け、女性マンガ、レディース', 'for women、women'),
  kodomo: entry('子ども向け', 'for children', '子供向け、キッズ、こども向け、小学生', 'kids、children、for kids'),
}

export function labelOf(vocabulary: Readonly<Record<string, Entry>>, key: string, language: Language): string {
  // A catalogue's own words come here too, such as `constructor`.
  return Object.hasOwn(vocabulary, key) ? (vocabulary[key]?.label[language] ?? key) : key
}

export type Vocabulary = typeof GENRES
