// Names of genres, moods and readerships in both languages: the words of shoppers, and our labels. The keys are those
// of the catalogue's data.
import type { Language } from '@mangaassist/protocol'

interface Entry {
  /** Our own name for it; shoppers use it too. */
  readonly label: Readonly<Record<Language, string>>
  /** Other words that shoppers use. */
  readonly synonyms: Readonly<Record<Language, readonly string[]>>
  /** Words for one kind of it. As a wish 「野球」 is sports; as a dislike it leaves the other sports. */
  readonly kinds: readonly string[]
}

/** Each list has our label first, then the synonyms of shoppers. */
function entry(japanese: string, english: string, kinds = ''): Entry {
  const [ja = '', ...jaSynonyms] = japanese.split('、')
  const [en = '', ...enSynonyms] = english.split('、')
  return {
    label: { ja, en },
    synonyms: { ja: jaSynonyms, en: enSynonyms },
    kinds: kinds === '' ? [] : kinds.split('、'),
  }
}

export const GENRES: Readonly<Record<string, Entry>> = {
  action: entry(
    'アクション、バトル、戦闘、アクションもの、戦う、戦い、闘い、決闘、ガンアクション、殴り合い、戦わ、戦っ',
    'action、battle、battles、fighting、shonen battle、fight、fights、combat、brawls、hitting、sword fights、swordplay、gunfights、shootouts、action packed',
  ),
  adventure: entry(
    '冒険、アドベンチャー、旅、旅もの、大冒険、探検、旅人、旅行、宝探し',
    'adventure、adventures、journey、quest、travels、adventurous、exploration、exploring、treasure hunt',
    '海賊、航海、pirates、pirate、voyage',
  ),
  animals: entry(
    '動物、ペット、どうぶつ、アニマル',
    'animals、animal、pets、pet、critters、furry friends',
    '犬、猫、ねこ、ネコ、にゃんこ、わんこ、イヌ、子猫、子犬、馬、うさぎ、ウサギ、dogs、cats、cat、dog、kitten、kittens、puppy、puppies、horses、rabbits',
  ),
  comedy: entry(
    'コメディ、コメディー、ギャグ、お笑い、ギャグ漫画、コント、ドタバタ、どたばた、パロディ',
    'comedy、comedies、gag、gags、slapstick、sitcom、parody、comedic、humour、humor',
    'ラブコメ、ラブコメディ、romcom、rom com、romantic comedy',
  ),
  cooking: entry(
    '料理、グルメ、ごはん、食べ物、飯テロ、料理もの、おいしそう、美味し、おいしい、料理人、ご飯、飯もの、メシもの、食べ歩き、食いしん坊、レシピ',
    'cooking、food、gourmet、cuisine、chef、eating、delicious、chefs、meals、cook、cooks、meal、recipes、kitchen、foodie',
    'レストラン、お菓子、スイーツ、ラーメン、寿司、お弁当、食堂、パン屋、ケーキ、restaurant、baking、dessert、desserts、ramen、sushi',
  ),
  crime: entry(
    '犯罪、クライム、ヤクザ、裏社会、マフィア、極道、ギャング、やくざ、任侠、マフィアもの、クライムサスペンス',
    'crime、yakuza、gangster、gangsters、mafia、gang、gangs、criminals、underworld',
    '殺し屋、詐欺、詐欺師、泥棒、連続殺人、hitman、hitmen、assassin、assassins、heist、heists、con man、con artist、thieves、serial killer、serial killers',
  ),
  cyberpunk: entry('サイバーパンク', 'cyberpunk'),
  'dark-fantasy': entry(
    'ダークファンタジー、ダーク・ファンタジー、ダークなファンタジー',
    'dark fantasy、grimdark、darker fantasy',
  ),
  drama: entry(
    'ドラマ、人間ドラマ、ヒューマンドラマ、ヒューマンもの、群像劇',
    'drama、dramas、human drama、dramatic、family drama',
  ),
  fantasy: entry(
    'ファンタジー、魔法、剣と魔法、魔法使い、ハイファンタジー、王道ファンタジー、魔術',
    'fantasy、magic、swords and sorcery、magical、magicians、sorcery、high fantasy',
    '魔女、ドラゴン、魔法少女、エルフ、勇者、魔王、妖精、wizard、wizards、witch、witches、dragons、dragon、elves、fairies、fairy tale、fairy tales',
  ),
  game: entry(
    'ゲーム・勝負事、ギャンブル、ボードゲーム、賭博、賭け事、カジノ',
    'games、gambling、board game、casino、board games、gamblers',
    '囲碁、将棋、麻雀、かるた、カードゲーム、チェス、ポーカー、トランプ、shogi、go board game、mahjong、chess、poker、card games、card game',
  ),
  historical: entry(
    '歴史、時代劇、時代もの、歴史もの、武将、合戦、時代物、時代小説',
    'historical、history、period piece、period drama、historic、costume drama',
    '戦国、三国志、江戸、幕末、明治、大正、中世、平安、鎌倉、室町、昭和初期、戦国時代、江戸時代、明治時代、大正時代、中世ヨーロッパ、新選組、feudal、medieval、edo period、edo、sengoku、bakumatsu、meiji、heian、victorian、three kingdoms',
  ),
  horror: entry(
    'ホラー、怖い、怖い話、怪談、恐怖、ホラー系、おばけ屋敷、こわい、怖い系、ホラーもの、サイコホラー、心霊、ゾッとする、ぞっとする',
    'horror、scary、creepy、frightening、spooky、horrors、terrifying、eerie、chilling、ghost stories、ghost story、nightmarish',
  ),
  isekai: entry(
    '異世界、転生、異世界転生、いせかい、異世界もの、転生もの、なろう系',
    'isekai、another world、reincarnation、reincarnated、other world、transported to another world',
  ),
  'martial-arts': entry(
    '格闘技、格闘、武術、拳法、総合格闘技、武道',
    'martial arts、fighting tournament、mma',
    '空手、柔道、プロレス、合気道、相撲、剣道、kung fu、karate、judo、wrestling、sumo、kendo、aikido、kickboxing',
  ),
  mecha: entry(
    'ロボット、メカ、ロボットもの、巨大ロボット、ロボ、巨大ロボ、ロボットアニメ、ガンダム系',
    'mecha、robots、giant robots、robot、mechs、giant robot',
  ),
  medical: entry(
    '医療、医者、病院、医療もの、ドクター、看護師、ナース、医師、医学、手術、救急、外科、患者、医療系、お医者さん、医者もの',
    'medical、doctor、doctors、hospital、medicine、nurse、nurses、surgeon、doctor drama、hospitals、surgery、surgeons、physicians',
  ),
  music: entry(
    '音楽、クラシック音楽、ミュージシャン、音楽もの、楽器',
    'music、musician、musicians、musical',
    'バンド、ピアノ、ロック、バンドもの、ギター、ヴァイオリン、バイオリン、オーケストラ、吹奏楽、軽音、歌手、ジャズ、合唱、band、piano、rock band、bands、singer、singers、guitar、violin、orchestra、jazz、classical music、choir、rock music、rock n roll',
  ),
  mystery: entry(
    'ミステリー、ミステリ、推理、探偵、謎解き、推理もの、刑事、事件もの、謎、本格推理、本格ミステリ、名探偵、事件',
    'mystery、detective、whodunit、mysteries、detectives、murder mystery、sleuth、whodunits、detective stories、crime solving、puzzle solving、sleuths',
    '密室',
  ),
  'post-apocalyptic': entry(
    '終末もの、終末、ポストアポカリプス、荒廃した世界、世紀末、文明崩壊、終末世界、滅びた世界、人類滅亡',
    'post-apocalyptic、apocalypse、apocalyptic、post apocalyptic、end of the world、wasteland、dystopia、dystopian、end times',
  ),
  psychological: entry(
    '心理もの、心理戦、心理、頭脳戦、サイコ、心理サスペンス、心理描写、サイコロジカル、サイコホラー、騙し合い、駆け引き',
    'psychological、mind games、psychology、head games、mindgames、mind bending',
  ),
  romance: entry(
    '恋愛、恋、ラブコメ、ラブストーリー、恋愛もの、純愛、恋物語、恋人、カップル、恋する、色恋、ラブロマンス、ロマンス、恋バナ、ラブラブ、恋愛系、れんあい、ラブコメディ、両想い、両思い',
    'romance、love story、love stories、love manga、romcom、rom com、falling in love、romantic、love life、lovers、romances、dating、romantic comedy、couples',
    '三角関係、失恋、悲恋、片思い、片想い、初恋、love triangle、love triangles、crushes、unrequited love、first love',
  ),
  samurai: entry(
    '侍、サムライ、剣客、剣豪、武士、さむらい、浪人、チャンバラ、剣術',
    'samurai、swordsman、swordsmen、ronin、swordfighting、samurais、sword fighters',
    '人斬り',
  ),
  school: entry(
    '学園、学校、高校、学園もの、部活、高校生活、スクール、学園生活、学校もの、高校生、中学生、女子高生、男子高生、青春、クラスメイト、同級生、生徒会、文化祭、高校もの、学生',
    'school、high school、school life、students、schools、schoolkids、classroom、school stuff、schoolgirls、schoolboys、high schoolers、high schooler、college students、student、campus、teenagers、schooldays、classmates',
  ),
  'sci-fi': entry(
    'SF、サイエンスフィクション、宇宙、近未来、SFもの、サイエンス・フィクション、宇宙もの、未来もの、エスエフ',
    'science fiction、sci fi、scifi、space、futuristic、sf、outer space、future',
    '宇宙人、宇宙船、タイムマシン、アンドロイド、人工知能、aliens、alien、spaceship、spaceships、androids、cyborgs、space opera、スペースオペラ',
  ),
  'slice-of-life': entry(
    '日常、日常系、日常もの、暮らし、日々の暮らし、何気ない毎日、普通の暮らし、日常生活、何も起きない、なにげない日常、普通の生活、生活もの',
    'slice of life、everyday life、daily life、slice of life、ordinary life、ordinary days、day to day life、daily lives、everyday lives、normal life、domestic life、nothing happens',
  ),
  sports: entry(
    'スポーツ、スポ根、スポーツもの、スポーツ漫画、運動部、競技',
    'sports、sport、athletics、track and field、sporty',
    '野球、サッカー、バスケ、バスケットボール、バレー、バレーボール、テニス、ボクシング、自転車、ラグビー、陸上、水泳、柔道部、バドミントン、卓球、ゴルフ、スケート、野球もの、サッカーもの、甲子園、競馬、フィギュアスケート、マラソン、駅伝、剣道部、アメフト、ロードバイク、球技、baseball、soccer、football、basketball、volleyball、tennis、boxing、cycling、rugby、swimming、golf、skating、football match、figure skating、marathon、badminton、table tennis、ping pong、horse racing、american football、surfing',
  ),
  supernatural: entry(
    '怪異・超常、妖怪、幽霊、オカルト、怪異、霊、超能力、お化け、おばけ、悪魔、呪い、怨霊、魔物、心霊、除霊、霊感、霊能、退魔、式神、あやかし、もののけ、ゴースト、怪物、モンスター',
    'supernatural、ghosts、ghost、spirits、occult、yokai、psychic、demons、ghouls、curses、haunted、monsters、paranormal、youkai、exorcist、exorcists、demon、monster、haunting、superpowers',
    '死神、鬼、吸血鬼、ヴァンパイア、バンパイア、陰陽師、vampire、vampires、zombies、zombie、werewolves',
  ),
  survival: entry(
    'サバイバル、デスゲーム、生き残り、サバゲー、漂流、無人島、生存',
    'survival、death game、survive、death games、survivors、stranded、battle royale、desert island',
  ),
  thriller: entry(
    'サスペンス、スリラー、サスペンスもの、サイコサスペンス、サイコスリラー、クライムサスペンス、スパイもの、スパイ',
    'thriller、suspense、thrillers、suspenseful、spy、spies、espionage',
  ),
  'time-travel': entry(
    'タイムトラベル、タイムリープ、タイムスリップ、タイムループ、過去に戻る、時間移動、タイムマシン、やり直し、時間を遡る、ループもの',
    'time travel、time loop、time leap、time slip、time loops、time travelling、time traveling、time traveller、time traveler、going back in time',
  ),
  war: entry(
    '戦争、戦記、戦争もの、軍隊、戦場、兵隊、軍人、戦記もの、軍事、ミリタリー、戦時中、戦時下、第二次世界大戦、太平洋戦争',
    'war、military、wars、soldiers、battlefield、soldier、wartime、world war、wwii、ww2、army、battlefields、warfare',
    '特攻、空襲',
  ),
  work: entry(
    'お仕事もの、お仕事、職業もの、会社、お仕事漫画、仕事もの、仕事、職場、サラリーマン、会社員、社会人、職人、働く、働き、オフィス、業界もの、ビジネス、社畜、会社もの',
    'working life、workplace、jobs、office、career、office worker、office life、salaryman、working、office workers、business、workplaces、professions、salarymen、corporate',
    'ブラック企業、就活',
  ),
  yuri: entry(
    '百合、ガールズラブ、女の子同士、女性同士、女同士、女の子同士の恋愛、女性同士の恋愛、ＧＬ、レズビアン',
    'yuri、girls love、girls’ love、gl、wlw、sapphic、lesbian、lesbians、girl love、girls in love、women in love',
  ),
  'boys-love': entry(
    'BL、ボーイズラブ、男の子同士、男同士、やおい、男性同士、男同士の恋愛、男性同士の恋愛、ビーエル',
    'boys’ love、boys love、bl、mlm、yaoi、boy love、gay romance、gay',
  ),
}

export const MOODS: Readonly<Record<string, Entry>> = {
  dark: entry(
    'ダークな、ダーク、暗い、暗め、重い、重め、重厚、シリアス、ブラック、鬱、陰鬱、胸糞、救いがない、重たい、どんより、陰惨、闇、闇が深い、胸くそ、胸クソ、後味悪、後味の悪、後味が悪、救いのない、絶望、ヘビー、鬱々、鬱展開、鬱エンド、憂鬱、病んだ、つらい',
    'dark、darker、grim、serious、heavy、bleak、heavier、gloomy、depressing、grimdark、darkest、disturbing、twisted、sinister、morbid、dreary、downer、downers、misery、miserable、hopeless、nihilistic、grimmer、upsetting',
  ),
  light: entry(
    '気軽に読める、明るい、明るめ、軽い、軽め、気軽、ライト、明るく、楽しい、肩の凝らない、ポップ、気楽、陽気、ハッピー、軽く読める、サクッと、さくっと、頭を使わ、何も考えず、力を抜い',
    'light、lighter、light hearted、lighthearted、easy、cheerful、upbeat、fun、breezy、carefree、easygoing、easy going、happy、happier、joyful、playful、undemanding、fluffy',
  ),
  funny: entry(
    '笑える、面白おかしい、笑いたい、爆笑、笑えて、笑い、笑って、ギャグ、コミカル、ユーモア、吹き出す、腹抱え、お腹を抱え、お笑い、おもしろおかしい、笑っ、笑え、くすっと、クスッと、ふふっと、ばかばかし、バカバカし、くだらな、アホ、あほらし',
    'funny、funnier、hilarious、laugh、humorous、silly、jokes、laughs、comic relief、witty、goofy、comical、laughing、giggle、amusing、humour、humor、hysterical、stupid、daft、dumb、absurd、ridiculous、crack me up',
  ),
  heartwarming: entry(
    '心温まる、ほっこり、癒さ、癒やさ、癒し、癒やし、癒し系、癒やし系、癒される、癒やされる、心あたたまる、温かい、優しい、ほのぼの、かわいい、可愛い、可愛らしい、あったか、ほんわか、ハートフル、ハートウォーミング、あたたかい、暖かい、心が温ま、心が暖ま、心温か、じんわり、ほっとする、ホッとする、いやし、いやされ',
    'heartwarming、heart warming、wholesome、warm、sweet、comforting、feel good、cute、adorable、tender、kind、heartfelt、touching、warm hearted、warmhearted、feelgood、healing、fluffy、lovable',
  ),
  tense: entry(
    '緊迫感のある、ハラハラ、緊張感、緊迫、手に汗握る、はらはら、息詰まる、息が詰まる、張り詰め、緊張感のある',
    'tense、suspenseful、nail biting、gripping、edge of my seat、tension、intense、nerve wracking、nerve racking、edge of your seat、page turner、suspense',
  ),
  sad: entry(
    '泣ける、泣きたい、悲しい、涙、感動、感動的、泣けて、泣き、号泣、悲劇、涙腺、お涙頂戴、お涙ちょうだい、しんみり、かなしい、泣かせ、切なくて泣',
    'sad、sadder、cry、tearjerker、tear jerker、tearjerkers、tear jerkers、weepy、moving、tragic、tears、crying、weeping、sob、sobbing、heartbreaking、heart breaking、heartbreak、tragedy、tragedies、tear jerking、devastating、gut wrenching、emotional',
  ),
  hopeful: entry(
    '前向きになれる、前向き、希望、元気が出る、元気になれる、元気、ポジティブ、勇気をもら、勇気が出、励まされ、元気をもら、希望がもて、希望が持て',
    'hopeful、uplifting、inspiring、encouraging、optimistic、positive、inspirational、motivating、motivational、cheer me up、cheers me up、feel better',
  ),
  epic: entry(
    '壮大な、壮大、スケールの大きい、大河、スケール、大作、大スケール、一大叙事詩',
    'epic、grand、sweeping、saga、large scale、sweeping saga、epics',
  ),
  quiet: entry(
    '静かな、静か、落ち着いた、しっとり、穏やか、しずか、おだやか、淡々、ゆっくり流れる',
    'quiet、calm、gentle、peaceful、quieter、slow、slow paced、subdued、mellow、tranquil、serene、low key、understated、meditative、contemplative、gentler、calmer、hushed',
  ),
  stylish: entry(
    'スタイリッシュな、おしゃれ、かっこいい、スタイリッシュ、クール、オシャレ、お洒落、カッコいい、カッコイイ、かっこよ、カッコよ、格好いい、センスのいい',
    'stylish、cool、slick、badass、chic、cooler',
  ),
  thoughtful: entry(
    '考えさせられる、深い、哲学的、考えさせる、社会派、考えさせ、哲学、知的、社会問題、深み、奥が深い、人生について',
    'thoughtful、deep、philosophical、thought provoking、literary、philosophy、intellectual、cerebral、profound、makes me think、make me think、makes you think、make you think、meaningful、insightful',
  ),
  bittersweet: entry(
    'ほろ苦い、切ない、せつない、甘酸っぱい、ほろにがい、儚い、はかない、ほろり',
    'bittersweet、melancholy、melancholic、wistful、poignant',
  ),
  thrilling: entry(
    '熱い、スリリング、燃える、ワクワク、わくわく、手に汗、アツい、激アツ、胸熱、熱血、燃え、スリル、興奮、スカッと、すかっと、爽快、疾走感',
    'thrilling、exciting、hype、adrenaline、exhilarating、fast paced、action packed、thrills、hyped、pulse pounding',
  ),
  romantic: entry(
    'ときめく、ロマンチック、キュンキュン、胸キュン、ときめき、キュン、きゅんきゅん、胸きゅん、胸がきゅん、きゅん、トキメキ、ときめけ、甘々',
    'romantic、swoony、swoon、swoonworthy、butterflies、sweet romance',
  ),
  nostalgic: entry(
    '懐かしい、なつかしい、ノスタルジック、レトロ、昭和、ノスタルジー、懐かし、なつかし',
    'nostalgic、retro、nostalgia、old school、vintage、childhood memories',
  ),
  strange: entry(
    '不思議な、不思議、奇妙、変わった、シュール、不条理、ナンセンス、カオス、ぶっ飛んだ、ぶっとんだ、奇抜、風変わり、変な、摩訶不思議、奇想天外',
    'strange、weird、surreal、bizarre、odd、quirky、unusual、wacky、offbeat、trippy、absurd、eccentric、uncanny、bonkers、strangeness、weirdness',
  ),
  gritty: entry(
    '骨太な、骨太、ハード、泥臭い、リアル、バイオレンス、ハードボイルド',
    'gritty、violent、brutal、realistic、raw、hard boiled、hardboiled、noir、visceral、realism',
  ),
  cosy: entry(
    'のんびりした、のんびり、ゆるい、まったり、ゆるふわ、ゆったり、ゆるゆる、だらだら、のほほん、癒し系、癒やし系、脱力、何も考え、なにも考え、頭を使わ、頭使わ、ぼーっと、ほけー',
    'cosy、cozy、relaxing、relaxed、laid back、chill、soothing、comfy、unwind、calming、low stakes、iyashikei、comfort read、snug、mindless、brainless、no thinking、switch off',
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
