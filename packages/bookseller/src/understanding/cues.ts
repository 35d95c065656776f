// Words and phrases by which the kind of a question is recognised, in both languages. The items are separated by 、.

const list = (words: string): readonly string[] => words.split('、')

export const CUES = {
  greeting: list(
    'こんにちは、こんばんは、おはよう、おはようございます、やっほー、もしもし、はじめまして、いらっしゃい、' +
      'どうも、hello、hi、hey、good morning、good evening、good afternoon',
  ),
  thanks: list(
    'ありがとう、ありがとうございます、ありがと、あざっす、あざます、ご丁寧に、助かりました、助かった、' +
      'サンキュー、thanks、thank you、thx、cheers、great help',
  ),
  identity: list(
    'あなたは誰、あなたは何、君は誰、何者、aiですか、aiなの、ロボットですか、人間ですか、人間なの、' +
      'ボットですか、自己紹介、使い方、それとも人間、ってai、あなたの名前、お名前、何ができ、who are you、' +
      'what are you、are you a bot、are you human、are you a human、are you an ai、are you ai、are you real、' +
      'are you a robot、your name、what can you do、help me with、do you do here、what do you do',
  ),
  compare: list('比べ、比較、どっち、どちら、違い、compare、comparison、versus、vs、difference、better、or'),
  price: list(
    'いくら、値段、価格、在庫、買え、買いたい、買う、注文、売って、売り切れ、品切れ、何円、置いて、ありますか、copies、copy、' +
      'left、price、cost、costs、how much、stock、available、buy、order、purchase、sold out、yen、do you have、do you sell、' +
      'do you carry',
  ),
  like: list(
    'みたい、ような、っぽい、似た、似て、似ている、好き、好きなら、次は何、次に、の次は、読み終、読んだ、系、ファン、近い、' +
      'like、similar、liked、love、loved、enjoyed、enjoy、fan、fans、next after、read next、what next、just finished、finished reading、i finished、reminds、' +
      'such as、along the lines、in the vein、vibes、vibe、favourite、favorite、お気に入り',
  ),
  named: list(
    'ありますか、置いて、売って、取り扱って、在庫、いくら、do you have、do you sell、do you carry、' +
      'in stock、how much',
  ),
  /** Takes precedence over `about`: "tell me about something similar" asks for similar series. */
  similar: list(
    '似た、似て、みたいな、のような、っぽい、similar、something like、anything like、graphic novel as、' +
      'as moody as、in the vein、vibes、vibe',
  ),
  /** A question about the named series itself, though it uses words of a wish. */
  fact: list('完結した、完結して、終わった、終わってる、怖い、グロい'),
  about: list(
    'どんな、あらすじ、内容、について、何巻、作者、教えて、誰が、about、synopsis、plot、story、who wrote、' +
      "who drew、how many volumes、tell me、what is、what's、author",
  ),
  recommend: list(
    'おすすめ、オススメ、お勧め、何か、なにか、探して、読みたい、紹介、人気、漫画、マンガ、作品、' +
      'surprise me、recommend、recommendation、recommendations、suggest、suggestion、suggestions、something、' +
      'anything、looking for、want to read、what should i read、popular、manga、series、best',
  ),
  others: list(
    'ほかに、ほかの、ほかは、他に、他は、他の、別の、それ以外、もっと、other、others、another、more、else、' +
      'different',
  ),
  offTopic: list(
    '天気、ニュース、政治、選挙、株価、為替、プログラミング、コード、翻訳、宿題、数学、レシピ、占い、' +
      'weather、news、politics、election、bitcoin、crypto、python、javascript、code、homework、math、' +
      'translate、recipe、horoscope、capital of、president',
  ),
} as const
