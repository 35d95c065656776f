// Names of genres, moods and readerships in both languages: the words of shoppers, and our labels. The keys are those
// of the catalogue's data.
import type { Language } from '@mangaassist/protocol'

interface Entry {
  /** Our own name for it; shoppers use it too. */
  readonly label: Readonly<Record<Language, string>>
  /** Other words that shoppers use. */
  readonly synonyms: Readonly<Record<Language, readonly string[]>>
}

/** Each list has our label first, then the synonyms of shoppers. */
function entry(japanese: string, english: string): Entry {
  const [ja = '', ...jaSynonyms] = japanese.split('、')
  const [en = '', ...enSynonyms] = english.split('、')
  return { label: { ja, en }, synonyms: { ja: jaSynonyms, en: enSynonyms } }
}

export const GENRES: Readonly<Record<string, Entry>> = {
  action: entry(
    'アクション、バトル、戦闘、アクションもの、戦う、戦い、闘い、決闘',
    'action、battle、battles、fighting、shonen battle、fight、fights、combat、brawls、hitting',
  ),
  adventure: entry('冒険、アドベンチャー、旅、旅もの', 'adventure、adventures、journey、quest、travels'),
  animals: entry('動物、犬、猫、ペット', 'animals、animal、dogs、cats、pets'),
  comedy: entry('コメディ、コメディー、ギャグ、お笑い、ギャグ漫画、ラブコメ', 'comedy、comedies、gag、romcom、rom com'),
  cooking: entry(
    '料理、グルメ、ごはん、食べ物、飯テロ、料理もの、おいしそう、美味し、おいしい、レストラン、お菓子、スイーツ、料理人',
    'cooking、food、gourmet、cuisine、chef、eating、restaurant、baking、delicious、chefs、meals',
  ),
  crime: entry(
    '犯罪、クライム、ヤクザ、裏社会、マフィア、極道、ギャング',
    'crime、yakuza、gangster、gangsters、mafia、heist、gang、gangs、criminals',
  ),
  cyberpunk: entry('サイバーパンク', 'cyberpunk'),
  'dark-fantasy': entry('ダークファンタジー、ダーク・ファンタジー', 'dark fantasy、grimdark'),
  drama: entry('ドラマ、人間ドラマ、ヒューマンドラマ', 'drama、dramas、human drama'),
  fantasy: entry(
    'ファンタジー、魔法、剣と魔法、魔女、魔法使い、ドラゴン、魔法少女',
    'fantasy、magic、swords and sorcery、wizard、wizards、witch、witches、dragons、magical',
  ),
  game: entry(
    'ゲーム・勝負事、囲碁、将棋、麻雀、かるた、ギャンブル、カードゲーム',
    'games、shogi、go board game、gambling、mahjong、board game',
  ),
  historical: entry(
    '歴史、時代劇、時代もの、歴史もの、戦国、三国志、武将、合戦、江戸、幕末、明治、大正、時代物、中世',
    'historical、history、period piece、feudal、medieval、edo period、period drama',
  ),
  horror: entry(
    'ホラー、怖い、怖い話、怪談、恐怖、ホラー系、おばけ屋敷',
    'horror、scary、creepy、frightening、spooky、horrors、terrifying',
  ),
  isekai: entry('異世界、転生、異世界転生', 'isekai、another world、reincarnation'),
  'martial-arts': entry(
    '格闘技、格闘、武術、拳法、空手、柔道',
    'martial arts、kung fu、karate、judo、fighting tournament',
  ),
  mecha: entry('ロボット、メカ、ロボットもの、巨大ロボット', 'mecha、robots、giant robots、robot'),
  medical: entry(
    '医療、医者、病院、医療もの、ドクター、看護師、ナース、医師',
    'medical、doctor、doctors、hospital、medicine、nurse、nurses、surgeon',
  ),
  music: entry(
    '音楽、バンド、ピアノ、ロック、クラシック音楽、ミュージシャン、バンドもの',
    'music、band、piano、rock band、musician、musicians、bands、singer、singers',
  ),
  mystery: entry(
    'ミステリー、ミステリ、推理、探偵、謎解き、推理もの、刑事、事件もの',
    'mystery、detective、whodunit、mysteries、detectives、murder mystery、sleuth',
  ),
  'post-apocalyptic': entry(
    '終末もの、終末、ポストアポカリプス、荒廃した世界',
    'post-apocalyptic、apocalypse、apocalyptic、post apocalyptic、end of the world',
  ),
  psychological: entry('心理もの、心理戦、心理、頭脳戦、サイコ', 'psychological、mind games、psychology'),
  romance: entry(
    '恋愛、恋、ラブコメ、ラブストーリー、恋愛もの、純愛、恋物語、恋人、カップル、恋する、色恋',
    'romance、love story、love stories、love manga、romcom、rom com、falling in love、love triangle、love triangles、crushes、romantic',
  ),
  samurai: entry('侍、サムライ、剣客、剣豪、武士', 'samurai、swordsman、swordsmen、ronin'),
  school: entry(
    '学園、学校、高校、学園もの、部活、高校生活、スクール、学園生活、学校もの',
    'school、high school、school life、students、schools、schoolkids、classroom、school stuff',
  ),
  'sci-fi': entry(
    'SF、サイエンスフィクション、宇宙、近未来、SFもの',
    'science fiction、sci fi、scifi、space、futuristic',
  ),
  'slice-of-life': entry(
    '日常、日常系、日常もの、暮らし、日々の暮らし、何気ない毎日、普通の暮らし',
    'slice of life、everyday life、daily life、slice of life、ordinary life、ordinary days、day to day life',
  ),
  sports: entry(
    'スポーツ、野球、サッカー、バスケ、バスケットボール、バレー、バレーボール、テニス、ボクシング、自転車、スポ根、ラグビー、陸上、水泳、柔道部、バドミントン、卓球、ゴルフ、スケート',
    'sports、sport、baseball、soccer、football、basketball、volleyball、tennis、boxing、cycling、rugby、swimming、golf、skating、athletics',
  ),
  supernatural: entry(
    '怪異・超常、妖怪、幽霊、オカルト、怪異、霊、超能力、死神、お化け、おばけ、悪魔、呪い、怨霊、魔物',
    'supernatural、ghosts、ghost、spirits、occult、yokai、psychic、demons、ghouls、curses、haunted、monsters',
  ),
  survival: entry('サバイバル、デスゲーム、生き残り', 'survival、death game、survive'),
  thriller: entry('サスペンス、スリラー、サスペンスもの', 'thriller、suspense、thrillers'),
  'time-travel': entry(
    'タイムトラベル、タイムリープ、タイムスリップ、タイムループ、過去に戻る',
    'time travel、time loop、time leap、time slip',
  ),
  war: entry('戦争、戦記、戦争もの、軍隊、戦場、兵隊、軍人', 'war、military、wars、soldiers、battlefield、soldier'),
  work: entry(
    'お仕事もの、お仕事、職業もの、会社、お仕事漫画、仕事もの、仕事、職場、サラリーマン、会社員、社会人',
    'working life、workplace、jobs、office、career、office worker、office life、salaryman、working',
  ),
  yuri: entry(
    '百合、ガールズラブ、女の子同士、女性同士、女同士',
    'yuri、girls love、girls’ love、gl、wlw、sapphic、lesbian、lesbians',
  ),
  'boys-love': entry('BL、ボーイズラブ、男の子同士、男同士、やおい', 'boys’ love、boys love、bl、mlm、yaoi'),
}

export const MOODS: Readonly<Record<string, Entry>> = {
  dark: entry(
    'ダークな、ダーク、暗い、暗め、重い、重め、重厚、シリアス、ブラック、鬱、陰鬱、胸糞、救いがない',
    'dark、darker、grim、serious、heavy、bleak、heavier、gloomy、depressing、grimdark',
  ),
  light: entry(
    '気軽に読める、明るい、明るめ、軽い、軽め、気軽、ライト、明るく、楽しい、肩の凝らない、ポップ',
    'light、lighter、light hearted、lighthearted、easy、cheerful、upbeat、fun、breezy',
  ),
  funny: entry(
    '笑える、面白おかしい、笑いたい、爆笑、笑えて、笑い、笑って、ギャグ',
    'funny、funnier、hilarious、laugh、humorous、silly、jokes、laughs、comic relief',
  ),
  heartwarming: entry(
    '心温まる、ほっこり、癒さ、癒やさ、癒し、癒やし、癒される、癒やされる、心あたたまる、温かい、優しい、ほのぼの、かわいい、可愛い、可愛らしい、あったか、ほんわか',
    'heartwarming、heart warming、wholesome、warm、sweet、comforting、feel good、cute、adorable、tender、kind',
  ),
  tense: entry(
    '緊迫感のある、ハラハラ、緊張感、緊迫、手に汗握る',
    'tense、suspenseful、nail biting、gripping、edge of my seat',
  ),
  sad: entry(
    '泣ける、泣きたい、悲しい、涙、感動、感動的、泣けて',
    'sad、sadder、cry、tearjerker、tear jerker、tearjerkers、tear jerkers、weepy、moving、tragic',
  ),
  hopeful: entry(
    '前向きになれる、前向き、希望、元気が出る、元気になれる、元気',
    'hopeful、uplifting、inspiring、encouraging、optimistic',
  ),
  epic: entry('壮大な、壮大、スケールの大きい、大河、スケール', 'epic、grand、sweeping、saga'),
  quiet: entry('静かな、静か、落ち着いた、しっとり、穏やか', 'quiet、calm、gentle、peaceful、quieter、slow'),
  stylish: entry('スタイリッシュな、おしゃれ、かっこいい、スタイリッシュ、クール', 'stylish、cool、slick'),
  thoughtful: entry(
    '考えさせられる、深い、哲学的、考えさせる、社会派',
    'thoughtful、deep、philosophical、thought provoking、literary',
  ),
  bittersweet: entry(
    'ほろ苦い、切ない、せつない、甘酸っぱい、ほろにがい',
    'bittersweet、melancholy、melancholic、wistful',
  ),
  thrilling: entry(
    '熱い、スリリング、燃える、ワクワク、わくわく、手に汗',
    'thrilling、exciting、thrill、hype、adrenaline',
  ),
  romantic: entry('ときめく、ロマンチック、キュンキュン、胸キュン、ときめき、キュン', 'romantic、swoony'),
  nostalgic: entry('懐かしい、なつかしい、ノスタルジック、レトロ、昭和', 'nostalgic、retro、nostalgia、old school'),
  strange: entry(
    '不思議な、不思議、奇妙、変わった、シュール、不条理',
    'strange、weird、surreal、bizarre、odd、quirky、unusual',
  ),
  gritty: entry('骨太な、骨太、ハード、泥臭い、リアル、バイオレンス', 'gritty、violent、brutal、realistic、raw'),
  cosy: entry(
    'のんびりした、のんびり、ゆるい、まったり、ゆるふわ、ゆったり',
    'cosy、cozy、relaxing、relaxed、laid back、chill、soothing、comfy',
  ),
}

export const READERSHIPS: Readonly<Record<string, Entry>> = {
  shounen: entry('少年漫画、少年マンガ、少年向け、少年誌', 'shonen、shounen、shōnen、boys manga'),
  shoujo: entry('少女漫画、少女マンガ、少女向け、少女誌', 'shojo、shoujo、shōjo、girls manga'),
  seinen: entry('青年漫画、青年マンガ、青年向け、大人向け、青年誌', 'seinen、adult readers、for adults、mature'),
  josei: entry('女性漫画、女性向け、女性マンガ、レディース', 'josei、for women、women'),
  kodomo: entry('子ども向け、子供向け、キッズ、こども向け、小学生', 'for children、kids、children、for kids'),
}

export function labelOf(vocabulary: Readonly<Record<string, Entry>>, key: string, language: Language): string {
  // Keys come from the catalogue's data, and may even be `constructor`.
  return Object.hasOwn(vocabulary, key) ? (vocabulary[key]?.label[language] ?? key) : key
}

export type Vocabulary = typeof GENRES
