// Which characters and pairs of letters tokenizers tend to have whole. Made by looking where three of them (o200k, cl100k and
// Claude 2's) cut our texts and what they make of single characters; mended by making it anew, never by hand.

/**
 * How often a cut falls before the last of three letters, 0 hardly ever to 3 nearly always: 27 × 27 × 27 of them, a to z and
 * then "no letter", three to a character of the alphabet 0–9a–zA–Z-_.
 */
export const LATIN_CUTS =
  'gd0g3c0o0lDVsV-q_cIOMyW92H8p3GGJXuucA0mQ2oj08LAuUC-zWIHzp-lZ6XYLz-ZTZz_Ew0fw043cMLX_uZHt_YLzSXWLmXcGBlQJF8Ts' +
  'zPJ-Gfb_Ys6dTO_2-4w89g0c018HPMTKejvI-LXZ_Ck_Yp2dN2E3KcZOxPFv3LssMM_It4-Aw1dI2s3UIuPdXYZL_suTXSCKv_ITZZ___P-c' +
  'HP-Zr_f_Y_XV_-_S_8000000000wc203c000DPZtUYp_cMiOMEchH8n2IRJF9JIo5lU2E2A8GEGUBJhWcryi-hYlGoLzVKAZi_o009g343cM' +
  '_P_q_Ta_YvyVWC_CHsn1YQYKlvc3zEW4fp_so39HMvxqogcbx1c008ajhUIchKcKLTZ_CSLYpOIWwK2rcIyBVEb2TssCNZZc1Z8w0cA2s3Ek' +
  'JPEXd_q_smiNWxKnOIBF-_vvjZcFD--nuD_UHTRXX_TSg000000000Mckg3c044BjZIUZq_cpPNMEewHIjqZ_RJpGcH2BQi42xIGwIUAZg-c' +
  'rzFYhYhHovPZHBZC_U00ag083eMvzYm_He_YfPV_W_vTIn1USUK5vc3jJWpf9_so1aGNL5vow8aM0c018qjFUIcgqc-_XZ_yA_YpOIW0_1uc' +
  'tyyRFd3nsWSUZZctZcg18A2c3AkePFXd--_sG3w-wKbOIlB-_rvzYcpX_ZyLbWU_P-___TXk000000000wd2g38004kTZuUZo_c43MMEd2L8' +
  'D3ZVUEpJck0LUis34UuwQUIIhWIbzoJ1ZtHofjZVQVxXEg0bg080cMKmWqJHaXYXzVWT_GHIn3UYULlrc2ytREe9_cs19CMv1usg09w0c0hs' +
  'qPhQIcgqcZLXY_yB_Ythd-0I6vcJPxQyawTcqyM-Is6Rc0gaA1c3EEePEWd-K-saxwZx-nTIBB__LLzYcXXZZivvXI_OG_-_WSA000000000' +
  'w85038040nSZtIJA_cEyNMEchH8HDJ_KXJZso6rMi820cvQBWAJh-cHPB-5YqH8viWZR-y_U00b0142cgbP_rULd_YLyWWW-qXsp0-YUbmLc' +
  '3PKXFfa_cI2qLS_1vEwcbg0c018qOiYZE1uc-LXZ_SAXIGBt_iI3bcJDS-Vf1XcpRO_-Z5Nog09k2c2oEuPK_e_L_suSC-FJrWI5BR_LfPZI' +
  'HTL-hLbTU_PW_V_SWk000000000M80038000myZsIZt_s4iOMEcxXoz1JVZSqFI40vQ2w208LAJV_Hi-IHDCZhYBHELz_KCJN_og0a0003cM' +
  'vC-qZre_YvzFVR_qHIn3YYUKlrc2zKVofh_cs2FCNvbusg84M0cg08ajhYIs2pc-LXZ_yALY9iIS0J2GctPjVFv1HIIOO_ZdFNcg4a02c3Ak' +
  'uPFXp-J_E6yyZyJHTICJ__LvzZcGXY-zdrXoKXWXX_XWg000000000Mc5g38140azZIGZo_cExNMEcinED2IVAJpAcVd_V2U2kUCFoUkJiWc' +
  'HzEZlYmGsDDZJG-zTAg0ag043cMrO-GZHa_YvPTSC_qHsn3VYU-mHc2zISovpLsI6eGlvxuow49w0c01cqjhYU8hqc__XZDCAXIpjt-wKGqc' +
  'JTARCa2DsoCOXJs7Rc009A1c3Ek-PJXt-K_sayx-xJqSIlFZ-GLyZsKT--ivqXUvPWXX_STk000000000w92024000uzUsBZmXc8BNMoegH8' +
  'D6JV-EpBc8aFU2g2k8GkEUIIh-sHzwJhJlHEfz_FEYy_Ig0b0093cMvC-qZHuXIuDpSR-nHsK9UUVK8Lc3zKVkfa_cql9DRvNuEN4dM0c01c' +
  '9TjEscgqc_L_Y_BEXYpjJ-oZmucuOxRGa2nspSO_9YjS8g86w3s2EEqzqqcJG_saCx_yZHCslB--LLTYcGn-ZjvbXUvTWWH_SXk000000000' +
  'Nf2w28184CTZsWYB_IrPNMKd2_cn3KVV_6JsG4LU3w21E-QIZBZl-cLT1-yYBHE_z--qZy_Ew0b0083cM_D-CSHv_Y_zVX-_EXYH3ZU-K1Lc' +
  'rPd_uft_Ys19iRf1eoM8rw2c0iEFnyYZv2ec-LXZ_CALYIiK-k-6LcJxxOdo2_IEPNZZ-6W8g09w2c3YEuPt_t-K_sKih-wtrOsDR-__LzZc' +
  'GX-Y3er_EvPWXX-T_g000000000Mc4028000q2ZsJIq_cgyNMEcgrEH2WRuEFFcE9rw3g3k8pkGUwZwRcHHnYhYBDsfCJKBZy_kw0bg0d3cM' +
  'vT-qZXe_YLzJ-S-mDsL1VAQ-lncjyKVqf5Jcs19CRv2uow85M0c0086j2Uschqc-L_ZWDA_Yp18S0J2acuPKVEr2SsqhxSZslR8w0aw2c3UE' +
  'vPFXa-K_cqFxKxZnOcSx__LuzYcGT-ZifnWUHPVXHKTXk000000000M810342006z_IFJAKc8yMNCdhG4n1IUFFqVc_6KUjw3kcGooUBUkFI' +
  'HzBYkY5XoLz-KBZy_E00bg043cwvz-qZHa_YvPVXT_6HsD1UYQK2Xc2yKGaf5_so5aCMv3u8gcaM1c0085jiUIcgVc-LXZ_jA_IlitXgJ0Lc' +
  'JCCRVG2DsWCOXSI6Rcw89g3c3EAKzFXtLLLcqGw-wJrOItBW_LuzYcGT_-quvXUvTSXX_BWk000000000Mc10381006DZsEYaKc8CPMIc1Lo' +
  'u3W_XZqBc95a-iM248qAFQAJiWcXTlZg-CHQvzILAZiXEg070182cMvH-qZHe_YLDy-VLmHsj3--YLvXcjzJRlL8_cs19WQv9uk09aE1c0gc' +
  'qiiUIsxqIXHXZ_yA-YlisS4J9ucJOyVYq2TYoiN_Yt9-cg09A3c3sQaPES9-L_oayyXUJHCIlB--Lvz-cWTZ_mLrXUHTVXX_T-k000000000' +
  'Mc4028280CjZsZZu_cFyOMJcyX872KVJF9WcqaXV0g3hEnAEZxJhWcHPC-gYlLkvjXKRFx_Eg4b0042cwrnZpZneXY_zFWZ-KHsC6VUY-lrc' +
  '3zJWtf8_csa9CQvhuogc5g0c010qnhYIdhrc-L_Y_DA_YpidR4F2acZO3VFbNHcozM_Is5Row0ew3c3EotPHXu-G_I9yM-wtrWIxl--LvzZc' +
  'LX--qvb_UqX-SGKTWg000000000wc5g34100mP-toY8_cFPNQEcxHcHS-ZVquZss5uE3k2g8rBEUUJhWsHmWZF-h-UvzZKA-x_E00b0002cM' +
  'LzJWZHu_YLGFWS-anI52QUUK3rcmjJWobr_cI29HZvivowdaM2c01IuzxQc8gqcKLXY_CA_YphsR4t3Fc-NRZJrxzILORZZJeLIg2cw1c3Uk' +
  'ezFXdKH_IqOw-yJqNIRBZ__LzZcuT_-pLiXUrPWX-_XXk000000000gf6038000qT-dG-l_soONMYc0XcDz-S-HtZcC5DAj02gkXQFUALxWI' +
  'HP0ZQZuL8LT--N_N_E007g043cwLDZrY_d_Y_zE-W_uLsL2VVZLpvczOZXafL_It4aFm_3Logc6M0c01cJPOYet2GcWLXYLDA-YF3dN6J3Dc' +
  'KzR_JL2TYBDN_ZJnZokafYyc3IsLPYXu___sKSG-zKvSIqK-___TZcGK_ZjerXUXTZTT_TWk000000000Mc9g38100ayYIZZp_c8zOMFchX8' +
  'b1IRJF5B8s0KUhM1EoGwEVBYgFIHzmIOYmHovzZKKGz_c00bw143cMHzZGZra_Ivz8WS_qHs6zZVUKwrcyz_Vpfb_cc19CQL1u8h89w0c0hc' +
  'qmEUIYzWcJLXZHCA_YpiIS0JOG8JOyXWqjDcpzM_JIlR8w09A3c3YEfPE_s_G_s9CBKxJrRIRB-__vzZsLT-Zmdr_ULHWXX_SWk000000000' +
  'Md1g280007jZoBZlTcEBNMIchH8n1EVJJpFc44qk203gomAqUlIhFcHOhJgYlHovOZZmYx_E00ag043cMuT-qZLe_YLzFWSKqHsC1VUUL7Xc' +
  'jzFWofp_ss2aCBv1Kog86w0c018aPhUsIiGc_LXY_CI_Yo3d-4I2rcpywNIa1DsoyO-JslV8iwpBhczLUVzFXt_pXspFy-xJfOIlB-_KvjZc' +
  'GTZZif7WQLPWXH_RXk000000000wd5k282g4mnZYFZl_coyyNIeNHEn6K-JX9TI94fpjg3loqkJUAIkGcmzBZCZpHovyZJEZg_E00fk083cM' +
  'vDXJZHu_IX6Z-T_6HIv2VUU_arcvDIVof6_ss1dDpL6vElcp81c004oiiUsc5Wc-LXZ_yA_YayY-0JMHcKyAWBG1TcETN-rJ6Vcg4dA3c2pE' +
  'uOJ_p_K_IfzxWxZbSIlB-___zZ8LDZZVfTXYLXSXG-SVk000000000Mc5g28100mjYssZBL88GOMEsiLo71-zFFBBIo5vE3g2kEGkFUAFgWI' +
  'LzxZOZlGorz-Ll-O_E04b0043cwaC-rZHe_YLTZXX_bHsn1VEUL6rc3CEWqvb_st59DMv1uswdaw0c0hoejNUIdiuc-LXY_BA_IsNJR8t0ac' +
  'uyVZZHhTsr7S-YYqZsg08w2c3EAuPbXe-K-svix-xKrSYBB-_XvzZcJT-Z2ffXUKzV_X_XVA000000000wc40380006z-sEYp_c8jMwEc0H8' +
  '71IVIVKpcoarU3k3gIqAAUQIhVYLzyIgYdHovjYJgZ0_Y00f0003cwvC-qZGa_YLTWWS_qXsn1UUEL6vc2zoUoflLcc29SRv1uow9bw0c018' +
  'eDjVYs0uc-LXY_DQHYriIRAZ1KcKPw-Vu2GcrzOZYcuZ8h46k3c3skeGEXq-LXoeyhJMJrSInB-_LvzZ8-D_YGeHXULTWTG_WWk000000000' +
  'M81g38240RT_sH_r_cEyNMEc3H4_7tZLLKZcaabUjw0Ao-UYWBJx-cvGwZx_mKEvzZKUYC_E00fw243cMLD_qZXe_YLPV_W_rHIni-UQv2Hs' +
  'jz-W7fq_sI5dNS-iHYg8pM0c018W69VZfzGc_XXY_xQ_Yo0tUNt7GIvONZKliTsFgM_JdqVk004A2c3IEKPGX9_K_IqCz-xJfSIDR__LvDZc' +
  'KTtZiur_U_P-X__TXM000000000Md0g38000CzJsFZt_coiNMpc1X8n2WRtVHFcVbaUiw3MklAEUQJhWIrzhZxY5HovzZKCVxLI00bg043cw' +
  'vDXqZHt_YLLFWC-qrsd1KWUKmXczDJZuff_cI5aCRu3uogd8A1c018aixUscguI-LXZXCUHYozsZAI2qctyyRJe1DsExNXAslW8ggak3c3Eo' +
  'fTFXJ_LLImyx-wtnNIRB-_LvzYcWX--qeb_IGCSXX_TWg000000000Mc4038100Bi-ICYq_ckCPwEchL8D2ZZJFJF820uE2o34oqAGUAJgWc' +
  'HzhYiI1HofPY-AZN_8w05g043cwGH-pZHe_YvDFWR_mDsm1UURKprcizJWofl_ss5qB_vxLEg95M0c01cazyUIIgucGLXZ_DQ_Ypis-8J1qs' +
  'syiUJa1DoviN-Ks5R8g08w2s3pofzVXt-GrsuyV-RJrPImm-__vDZc-X__2fn_ILPXTH_SWg000000000gd50380g0mzZIFZp_coxNMIsj_8' +
  'm3KVJVqJsA4qQ2o2g8KwKUSKhWcHjlZhYBHEfzYKBVx_E00eg143cMLzWmJHK_YLzBWS_qLsm5E-EK4rc3zBVpLpWco19WMf1uog8ag0c014' +
  'qjgUIc0Fc-LXY_pA_YlhtW0F6qcVywSBp2DcECO_KJlS8g0pw2cbEEeOFWvLL_sKyxKgIqSIRJ__vvPYI-T_Ziuv_Q-OWX-LXSk000000000' +
  'Mc302c0006iZsJIk-c8myME9gH8m6EVJJqFIa4qA3420oGwFUAYhWsHyAYwYmHofPVHkRB_E00b0043cMvH-qJHd_YrzGWX-prsajZVU-mrc' +
  'zz-Vpf9_Is5rGS_yuow86M0c018uPiUKsi-IKLXY_CA_YoisV0I1qcZSy-Zi2HoEyM-JsmS8g4aM2c2UkfPGVs-F_Iqii-wsbWIGl-___zZ8' +
  'GT-Ziea_UHPWXS-WXg000000000Md2038000CzZIEso_88yNMBchv8D1ERJWpF8p8lg2g3M8FkEUQI1WcHzxYp-lDkfzY-CZi_E00b0043cM' +
  'vL-pZHe_YvTFWS-qHs65YQEKlrc2zuVlf5_sI5aCRv1u8g8aw0c018bjhUIciucVLWYLDB_YpxsSkJ3qcFzhFFq1DcsON-KsmV8g0aw2s3IU' +
  'aTFVsLJLsqyR-yKrSslB-_KvjZ8GX-Zyvb_Y_TWX-_SWo000000000w8502400g2iFEUYo_88xNM88gC4i1UBEEBB8l4pk30244awkUgo4Ro' +
  'ryBY1YpmAryVKoBxD8g86k042swrDX9J7dXYHOmCxKCDIbhAFUKFmc33tRkr4Bcp2lGQugF4wkmhicg244yiQo8gkc__T-_GA_Yqyp-AGlBo' +
  's3gw04gh891xVAIhM8ClqAjc2kEbzArtKKGEayM_AIHPsRqZ_uezZoGT--xKq_ALXRSX_OVk000000000'

/** Pairs of kana, two characters each, that are mostly one token. */
export const KANA_PAIRS_TIGHT =
  'ありあるいういまいるうごからがとくだことこのこれこんござさいされさんしかしくしたしてしまするせんそし' +
  'そのそれただためださちはったってていできですではでもといとうないのでましますませまたようりがイトイル' +
  'インストックットファフィフォョンランログングンダンチントンドーカーガークーグーケーゲーシージースーズ' +
  'ーターチーテートードーナーニーネーノーハーバーフープーベーポーマームーメーヤーヨーラーリールーレーロ' +
  'ーワ'

/** Pairs of kana that are one token now and then. */
export const KANA_PAIRS_LOOSE =
  'あとあないいいたいついていやえてえばえるおすかしかっかわがあがおきをくらけばこうこここちころさてさら' +
  'ざいしいしがしきしげしこしさしじしずしっしつしなしみしゃしょじめじゃすがすすすねすめすよぜひそうそこ' +
  'そんたいたりだかだけだっちなちゃちらちろっとっぱついてくでしとことしとなとのとめともどうなおながなく' +
  'なしなたなどなのなみならなりなるなんにちにつになにはにもによのおのみはいばんぱいぷんへのほどほんまぁ' +
  'まあまずまだまでまとみにもうもちものゃれゃんょうよりよろらせらにりまるとれたれてれはればろしろんわせ' +
  'われをごんなんにんはんばアイアウアクアッアルアンイクイスイズイドイプイヤウェウォウトウンェッォンオン' +
  'カテカラカルカーキャキンキークスクセクトクバクリクロケッゲーコピコミコメコンコーゴリザイザーシャシュ' +
  'ショシリジェジャジュジョスクスタステスペスポスマスメスーセスセッセルセンゼンタイタッターダーチェチャ' +
  'ッグッシッズッチッドッピッフップティテゴテルテンディデルデートッドラドルナーニメニュニンネッネルバッ' +
  'バーパンビュピンフェフカフトブラブルプリプレプロベルベンペーホテホーポイマンメリメンモデャンユーョッ' +
  'ライラクラスラムラーリアリエリスリンリールトルドレスレッレビレンレーロンローワーンクンサンズンタンヂ' +
  'ンツンテンナンノンバンパンビンピンブンプンペンボンポンマンムンメンロヴィ・・ーアーキーコーサーザーゼ' +
  'ーダーツーデーパービーピーブーボーンーヴーー'

/** Kanji that even a small vocabulary has whole. */
export const KANJI_COMMON =
  '一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企优会传但' +
  '位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化' +
  '北区十午华单南即历原去县参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图' +
  '土在地场址型城基報場填增声处备复外多大天失头女好如始子字存学安宋完定实审客家容密对导将小少尔就局展山' +
  '岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手' +
  '打找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時景更最月有服期木未本机权' +
  '束条来板构析果查标样核格案检模次款止正此步歳段每比民気水求江汽没治法注活流海消清游源火点無然片版物特' +
  '率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立站章端笑符第等签简' +
  '算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计' +
  '认议记论设证评试话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速' +
  '造連道邮部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑'

/** Kanji that a middling vocabulary has whole. */
export const KANJI_USUAL =
  '且临乐乘习买云互什仅仓令似依個候値假做储充光克兴典决况准减几切划剧割助匹半博占卡印双受古句各吉响团围' +
  '均坐块域境変太夹宁它実害対射尾层屏属峰川差己带庆弹归很德想戏截房才执扩批承把拟择括损掉控描換搜教數旗' +
  '昌映显普曲替术林栏树校根框档楼概標武母永池河波测深湖滑满滤為热照爬父牌状王現申略発白百盘着矩短石神离' +
  '积突窗答策精結線红练细终绘继续维缩罪群聚股育致花若范获菜被览設订让训许访识词课資负质足距跳輸轮轴较边' +
  '返迭追递遍那采针银闻防阵际随隔零青顺须颜飞马默齒龙'

/** Kanji that only a large vocabulary has whole; any other is spelt in bytes. */
export const KANJI_RARE =
  '丁七丈世丘丝严並丨丰丶丸丹丽举乃久乌乎乔乗乙九乡乱乳乾亂予争亏井亚亞亡亦亩亭亮亲仁仍仔仕仙仪仲伊伍伏' +
  '休众伙伝伟伤伦伯估伴伸低住佐佛佣佩佳來侠侣侧侯侵便係促俄俊俗俱俺們倒借倡倫债倾偏健側偶偷偿傅備催傳傷' +
  '働僕價億優儿允兄兆免児兑兒兔党內兩八六兰兵养兼兽冈冊冒军农冠冬冰冲冷冻净凉凌凝凡凤処凭凯凰凸函刀刊刑' +
  '刘刚创删判別刷券刺刻剂則削剑剤剩剪副創劇办努励劲劳効势勇勒務勝募勢勤勿匙医區千升协卒卓協卖単卢卧卫危' +
  '却卷卸厂厅厉压厕厘厚厦厨參又叉収叔另叫召史叶吃吊吐吕吗君吞吟吧吨吴吸吹吻吾呀呈呢味呵呻呼咋咖咨咪員哥' +
  '哦哪哭哲唐售唯唱啊啥啦啪善喊喘喜喝單営喷嗎嗯嘉嘎嘛嘴嘿噜団园困囲図固圆圈國園圖團圣圳圾坂坊坏坑坚坛坝' +
  '坡坦坪垃埃埔培堂堡堵塑塔塘塞墓増墙墨壁壇士壮売夏夕夜够夢夫央夺奇奈奉奋奏契奔奖套奥奴奶奷奸她妇妈妓妖' +
  '妙妞妮妹妻姆姐姑姓委姚姜姨姿威娃娇娘娛娜娱婆婚婦婷媒媳媽嫁嫂嫌嫩嬉孔孕孙孟季孤孩學宅宇守宏宗官宜宝宠' +
  '宣室宫宮宴宽宾宿寄富寒寓寝察實寨寫寶寸寺寻寿封専將專尊尋對導尖尚尝尤尸尺尼尽尿屁居届屋履屯岗岛岡岩岭' +
  '岳岸峡島崎巡巧巨巴巻币帅师希帐帖帝師席帮帯帰帳帶帽幅幕干幸幻幼幽広庄床底府废座庫庭康廉廣延廷弃弄弊弗' +
  '弘弟弱張強强彦彩彰役彻彼往征律徐徒從御復循徳徴徽忆忍忘忙応忠忧快念忽怀怎怒怕怖怡急怪恋恐恒恢恩恶悉悟' +
  '悠患悦悪悲惊惑惜惠惨惯愛愿慈態慎慢慧慰懂應戀戒战戦戰戲戴戶戸戻扎扑扒払托扣扫扬扰扱扶抓抗折抜択抢护披' +
  '抱抵押抽担拆拍拒拓拔拖拘招拜拥拨拳拼拾拿挂挑挡挣挥振挺捕捷掃授掌掛採探措掲揉插握揭援搏搞搬搭携摄摆摇' +
  '摘摩摸撃撑撒撞撤撮撸擊操據擦攝攻故敌敏救敗敢散敦敬敵斗斤斯於施旁旅旋既旦旧旨早旬旭旺昂昆昔春昨昭昼晋' +
  '晒晓晚晨晰晴晶智暂暇暑暖暗暨暮暴曜曝曰書曹曼曾會朋朗望朝末札朱杀杂杆杉李杏材村杜杨杭杯杰東松极枚枝枪' +
  '架柄柏某染柔柜柱柳柴査栋栗株桂桃桌桑桥桶梁梅條梦梨梯械棋棒棚森植椒検楚業極楽榜構様槽樂樓樣横橋機橹橾' +
  '權欠欢欣欧欲欺歉歌歓歡歩歲歴歷死殊残殖殺毁毅毎毒毕毛毫氏气氣氧汁汇汉汗污汤決沁沃沈沉沒沖沙沟沢沪油沿' +
  '況泄泉泊泛泡泥泰泳泽洁洋洗洛洞津洪洲派浅浆济浓浜浦浩浪浮浴涉涓涙涛润涨涩涯液涵淘淡淫混添済渐減渠渡温' +
  '測港湘湾湿満準溪滋滚滨滴滿漂漏演漢漫潔潘潜潭潮澡澳激灣灭灯灰灵灾炉炎炒炮炸炼烈烟烦烧焦焼煌煙煤熊熟熱' +
  '燃燕營爆爰爱爵爷爸爽牙牛牡牢牧牲犬犯狂狐狗狠独狸狼猎猛猜猪猫献猴獸玄玉玖玛玩玲玻珍珠班琪琳琴瑞璃環瓜' +
  '瓣瓦瓶甘甚甜產産田甲甸町畅留畫異當疆疑疗疫疯疲疼疾病症痛療癌發皆皇皮盆盈益盐盒盖盗盛盟監盤盾眉眠眼睛' +
  '睡督瞬矿砂研砖破础硕硬碍碎碑碰確碼磁磨礼祖祝祥祭禁福禧禽禾秀秋秘租秦種稱稳穆積穴究穿窍窝窥竞竟童競竹' +
  '笔筆筋筑筛筹箭節篇築篮簡籍粉粒粗粤粮糕糖紀約紅納純紙級紧紫累細紹終組経絡給統絲絶經続維網総緒締編縄縮' +
  '總績繁續纠纪纬纯纲纳纵纷纸纹纽织绍绑绕绝绩绪综绿缓缘缴缺罗罚罩署羅羊羞義羽翁翌習翔翠翻翼耀耐耗耳聊职' +
  '聘聞聪聯聲職肃肉肌肖肤肥肩肯肺胃胆背胎胖胜胞胡胶胸脂脑脚脱脸腐腕腰腳腹腾腿膜膽臀臣臭臺與興舍舒舔舗舞' +
  '舟航般舰船艇良艳艷艺艾芝芬芯芳芸芽苍苏苑苗苦茶茸草荐荒荡荣药荷莉莎莓莞莫莱莲菌華菲萄萌萝营萨萬落葉著' +
  '葛葡董蒂蒙蒲蓝蔡蕉蕩薄薦薪薬藝藤虎虐虑處虚號虫虹虽蛇蛋蛛蜂蜜蝶融血術街衛衡衣补袋袖袜袭裁裂裏裕裙補裝' +
  '裤裸製襪覆規視覚覧親観覽觀观觉触訂訊討訪許訳診証評詞詢試詳誉誌認誘語說説誰課調談請論講謝證識警議護讀' +
  '變讓讨讯讲诀诈诉诊译诗诚诱诸诺谁谈谋谓谜谢谨谱谷豆豊豪豹貌負財貨販責買貸費貼賀賞質購贝贡财贤贫贯贴贵' +
  '贷贸赁赋赌赏赔赖赚赛赞赠赢赤赫走赴赵赶越趋趣跃跌跑跟跨践踏踩踪躁車軍転軽較載輪輯轉轨轩轻辅辆辉辖辛辞' +
  '辣辦辨辰辱農辺込辽迁迅迈迎远违迟迪迫迷迹适逃逆逊透逐途這週進逸逻逼遂遇遊運過達違遗遠遣遥適遭遮遵選避' +
  '邀還邑邦邪邻郎郑郭郵酒酷酸醉醒醫野鉄鉴銀錄錯録鍵鏈鐘鑫钢钥钱钻铁铃铜铭铺锁锅锋锐锡锦镇镜長門閉閱閲關' +
  '闪闲阁阅阪阴阶阻阿附陈陌降险陪陰陵陶陷険陽隆隊階隐際障难雀雄雑雕雙雞離難雨雪電震霍霞露霸靖静靠革鞋韓' +
  '韩響頁頂頃項順須預領頭頻頼題額顔願類顶顾顿领颖颗風风飛食飯飲養餐館饭饮饰馆馈香馨馬駅験驗驰驱驶驻驾骑' +
  '骗骚骤骨骰體鬼魂魅魏魔魚鱼鲁鲜鲸鳥鸟鸡鸣鸭鸿鹅鹏鹰鹿麗麟麦麻麼黃黄黎黒點鼎鼓鼠鼻齐齢龄龍'

/** Syllables of Hangul that even a small vocabulary has whole. */
export const HANGUL_COMMON =
  '가간값개거게결경고공과구그글기나내는능니다당대도동되된드든들디라래러력로록료류른를름리만메면명목문미' +
  '버번보복부분비사산상색생서성세션소수스습시식신아야어에여열오와요용우운원위으은을음의이인일임입자작장' +
  '재적전정제져조주지진째체출치크태터턴트튼하한할함해호화환회'

/** Syllables of Hangul that only a large vocabulary has whole. */
export const HANGUL_USUAL =
  '각갈감갑강같객건걸검겁것겠겨격견겼계곡곤골곳관광괴교국군굴궁권귀규균극근금급긴길김까깔깨꺼께껴꽃꾸꿈' +
  '끄끌끔끝끼낌난날남납났낸낼냈냐냥너널넘네넷녀녁년념녕노논놀농높놓누눈뉴느늘닉닌님닝닥단닫달담답닷댓더' +
  '덕던덤데델독돈돌돼됐될됨됩두둘뒤득듯등딩따때떠떤또뜨뜻락란람랍랑랙랜램랩랫략량럭런럴럼럽렇레렉렌렛려' +
  '련렬렴렵렸령례론롤롭롯뢰루룸룹률르릭린릴림립릿링마막많말맛망맞매맥맨머먹먼멀멘며몇모몬몰몸못무물뮤므' +
  '민밀밍및바박밖반받발밤방배백벌범법베벤벨벽변별병본볼봉봐봤북불붙뷰브블빈빌빙빛빠뿐쁘쁜삭살삼새샵석선' +
  '설섭센셀셔셜셨속손솔송쇄쇼숙순술숨쉬쉽슈슨슬슴슷승실심십싱싶싸써쓰쓴씀씨씩씬악안않알암압았앙앞애액앤' +
  '앨약양억언얼엄업없엇었엔엘역연염였영예옥온올옵완왔왕왜외욕욱울움웃워월웠웨웹윈유육윤율융응익읽있잔잘' +
  '잠잡쟁저절점접젝젠졌족존좀종좋좌죄죠죽준줄중줘즈즌즐즘증직질짐집짓징짜짝쪽찌찍차착찬찮찰참창찾채책처' +
  '척천철첨첫청쳐쳤초촉촌총최추축춘춤충춰취츠측층칙친칠침칭카칼캐커컨컬컴컵케켓켜코콘콜콩쿠큐큰클큼키킨' +
  '킬킹타탁탄탈탕택털테텍텐텔템토톡톤통퇴투튀튜특틀티틱틴팀팅파판팔패팩팬퍼페펴편평폐포폭폰폴폼표푸풀품' +
  '풍퓨프픈플피픽핀필핏핑학합항했행향허헌험헤혀혁현혈협형혜혹혼홀홈홍확활황획효후훈휘휴흡흥희히힌힘'

/** English words, and beginnings of words, that every vocabulary has whole. */
export const COMMON_WORDS =
  'the and for con this that with pro com return you new from are int class not was public res str have get ' +
  'can self all cont will your out has def but function const void set var else more his they per data one dis ' +
  'name true end null pre their private who time man which any false value app about add string over des type ' +
  'inter part work when use off other been sup acc had were file would our year val some there said her comm ' +
  'ass like let also than static just result them into what pos list case first import act char only print its ' +
  'back need sub start user ent under reg then may org how people ind jav should test bet make after right ' +
  'long rem ext min loc array she exp par read rel form trans want comp number require col key two size where ' +
  'arg while rec dif spec look could know ser hand most try now him break every point std fil mod error text ' +
  'pol show find current used play log see help these pass down even item don did through inv last event again ' +
  'high line does tem before because dist state cons here final del run very model mon way call att cal dec ' +
  'num well object years default ins java sim view pres bel many being good using stud request child param ' +
  'echo person style que method expect prot sur found post such think differ much som http count inst gener ' +
  'med check open est next follow href car bool game path each support own cor mem sex sign those err system ' +
  'best same create made mark group fin world process cre main color report take day comple top free action ' +
  'index real max build message input art between table head must order mov contin say ter product double ' +
  'place information oper week prop program und response struct code without sol ref still assert cap rep ' +
  'field cour team second going range fam nil fact vis android writ ret home left direct exper allow beg page ' +
  'different around rece really image target dep both put level config document local content quest float ' +
  'develop poss too extends fore great month happ super title context met life incre src catch pay change ' +
  'position old book gover version three law base conf during console spe against power iss width label ' +
  'project element success date tot tri big map pop few len dem ear match node another sit care effect fun leg ' +
  'service since non los full turn body something produ stand proble available block keep throw things url red ' +
  'control come custom source eas await partic prov mill chang ask output email disc business required govern ' +
  'might never hard intern called cho options height small ide access protected job address uint sum little ' +
  'fri port status appe update link given better feel already including always parent got less account der lot ' +
  'valid bit following sure prom boolean search orig invest says temp rest interest perform ver mult die site ' +
  'values beh won video cert prof cell player cost hum offic total stat load clear techn row seem short ' +
  'override company done gre health args obj children distrib cur days initial online instance javax organ ' +
  'reason within design cent arr bro school consider func eng include init ann stop later client love json ' +
  'able men give condition copy occ appro either important lead family option exist offer water che step ' +
  'government display times four far present bas lib room once results continue talk grow mass mean aut until ' +
  'market area length mus kind light side example camp miss based plan away lik button experience render near ' +
  'country author specific along express begin software imp win thing why doesn single anal rights ant women ' +
  'season dest possible sever btn didn sent enc command recent money told equ auto working query window least ' +
  'expl column record dat making close percent past write move pat special city eff tell select font course ' +
  'late amount async ben enough looking hold pot property low para price today polit adv attack means story ' +
  'meet mom den sort thought task opt det review switch above question word provide research publish cover ' +
  'whether div having exc employ fre complet large fac created host role web dev deal problem press though ' +
  'points ever services actually ident million aff conc understand happen server les files often info space ' +
  'password store format details prob face save typ items social mar redu major expected yet food members comb ' +
  'bar send inc params connection become diff makes global contact abs except certain impro character news ' +
  'device previous material below media fail black component added buy came delete card https root handle ' +
  'getting comput claim air enter location night doing pick watch human dam tax girl box strong interface msg ' +
  'house track application pack pract section unsigned wait together throws terms apply session others fund ' +
  'several template econ subject esc history individual users mot future started mode took games products bad ' +
  'needs known exec seen border live variable provided filename hope young website study network limit cut cou ' +
  'sizeof went fire across community official visit received token months anim particular ess learn decl mind ' +
  'quick comment admin opp pur background description represent series hot original bill frame draw comes ' +
  'foreach elect filter larg remove front dig gen ste selected according util associ wor printf activ virtual ' +
  'anything hours war models early center language inf ago easy download students fig buffer vari due por ' +
  'cannot white register pred auth period vot screen tmp benef net neg common cred suggest accept random ' +
  'respons hit click implement players among deb circ answer walk treat age req five distributed friend clean ' +
  'words header tre discuss issue land stream quality sal works half police simple empty cook everything ' +
  'relations nothing running mor someone share entry changes personal offset pie events invol whole needed ' +
  'likely fight ein writing rate correct fall vol development indu elif pret believe features minutes ' +
  'collection similar taken isn son necess moment bring indic entire trying member phys namespace foot board ' +
  'sus push please types edit energ phot cult defined obt thread instead idea coll film compet conn compan ' +
  'teach phone active death article almost sell applic connect feature via lim ens environment compl install ' +
  'complete general asked reserved signific infl icon party vector normal further database music speed doc ' +
  'taking viol forward crit failed concern sender term potential published probably consum investig enjoy ' +
  'returns weight conditions exception module constructor favor mer loss engine issues parse stay dom lower ' +
  'perfect educ exact former six margin heart rather building questions cas security however inside president ' +
  'graph tag attempt round friends campaign alt energy profession seg hor behind callback raise wanted separ ' +
  'policy third bed serv har recomm training prior exit mag release shall outside imm purch ground unique pour ' +
  'tree byte matter shows ball simply fast memory fit political industry extra reported resources img wrong ' +
  'seems unit takes etc appear fem hom difficult coming settings autom quite blog everyone pretty longer menu ' +
  'currently relationship parameters cout names effort actual fields fix cases performance higher itself ' +
  'significant respect una progress mid resource dim direction additional numbers companies sound statement ' +
  'alert contract lines soon join las subs fill choose office veh transform inde implements hash flag particip ' +
  'note specified upon vert vict groups mut risk woman gets ign included sem cause van focus multiple regard ' +
  'deg addition various receive increase commit html leave strateg bre align reading clo notice lock standard ' +
  'padding states internal especially cross national script problems arch written milit images platform force ' +
  'prevent iter living pattern entity useful tool feed popular stre methods dir allowed impact elements prote ' +
  'train related vers sil cmd technology mit scale score student average court container parts decision saw ' +
  'approach saying anyone song channel changed finally kill drug convert ways mat plus profile ready sense ' +
  'latest saf region deep reach counter weeks damage lost himself dog paper staff alloc sched themselves ' +
  'driver category oil stock dead charg ful rules modify eval contains stack undefined playing bottom couple ' +
  'ctx road held includes avoid tab insert machine operation production areas ren operator tor candid conv ' +
  'argument establish sch movie sec activity sql provides sys wasn uses license ability parameter jud ' +
  'functions rot pen choice readonly flex characters rev wonder legal ten goes reference mis regular goal ' +
  'touch built worth natural inj calcul associated storage bytes travel sou passed grid bus recogn hon prec ' +
  'countries qual manufact login ill levels looks necessary extrem placeholder released properties respond ' +
  'requ financial threat evidence rule starting contrib logger recently returned seek communic username ' +
  'otherwise systems drop structure directly errors arguments ensure introdu grad usually ist serious customer ' +
  'door plant began distance chance ord protect route contr primary leaders gun comments updated inform hab ' +
  'led bank sample hands offers shape sleep sold safe shared priv sens remember shoot env scene became park ' +
  'sen yourself aud wrote equal serial allows middle quickly cop frequ actions proper inn objects matrix ones ' +
  'green paint une designed layer views reve core expert repe directory election beautiful secret chat origin ' +
  'effects management setting happy finish camera stuff military sale mention town solution slow blue lives ' +
  'customers cast determin dark package nor api club loop played existing complex analysis deliver computer ' +
  'pas mobile owner attr treatment leading flow involved shift eyes nice floor redirect wish capt stage solid ' +
  'meeting worked editor dict ang medical hour controller books speak mount felt modern seconds international ' +
  'cele cache roll setup considered growth mix plt turned letter attention collect imag situation von ' +
  'knowledge drive blood cit configuration photo gave shot mother morning trade desc parents piece ' +
  'professional completely practice selection cam sites reader messages buf nov das heard dise gold fair sales ' +
  'measure decided opportunity contain manager pain plans influ loaded grand credit difference pub fra tried ' +
  'reports adult consist whose relig gives easily ideas pair split capital hear exists parser education ' +
  'library calls brand ing pet charge depend huge basic arm star federal carry saved syn constant positive ' +
  'conduct skin earlier layout tim temper wants picture videos prem components throughout pull pages gas edge ' +
  'bound creating learning patients comfort shown lat dispatch classes successful obtain lack none dans hair ' +
  'laws pow knew wide jobs math scope meas keys exactly vote mask theme props fine writer altern destroy ' +
  'generate browser favorite career happened recommend liter named panel rock trust demon economic race ' +
  'physical removed looked dro towards uns rows define father histor nature nation discover wall exam nearly ' +
  'cool independ handler sun predict sometimes drink bul tests alleg attribute myself interesting population ' +
  'greater thous costs launch band wer immediately figure rank projects poll giving plot billion equipment ple ' +
  'headers proced raw brought interview partial remain anti safety batch beginning zero paid increased queue ' +
  'scient appropri idx maximum birth maybe limited movement broad fans foreign pan tour moving auf fully ' +
  'announced agreed materials unless sexual coach supported photos dialog pressure teams improve definition ' +
  'thinking enable concept sets meaning daily multi strict vehicle pool organization summer rap surface ' +
  'variables opin workers master stories celebr steps officials skills builder gar effective tools digital ' +
  'inline intent requests debug spent princip surv missing wife talking cart located cards pers accur records ' +
  'killed purpose exerc sin pointer hop obs requires norm programs weak mil firm demand described places alone ' +
  'export vec activities expression testing adjust agree pod describe convers operations scen explo director ' +
  'yield feet integer highly optim transport essential benefits girls socket prices sat wood reset forms guys ' +
  'instruction internet rect devices guard enum delay purchase aren fish doll leader compar doub culture ' +
  'suffer straight confirm advert couldn mechan audio spot increasing compared behavior detail fresh moved ' +
  'payload symbol pul hundred voice transaction links demonstr instit boost cells college largest qui ' +
  'individuals sing suit jump smart assist successfully bur beyond nodes affect typeof fetch rates bon studies ' +
  'growing certainly adding mach reject poor aware numer mock correspond binary prev closed developed ' +
  'permission sym although failure dream generated income eye oppos strugg txt guess particularly domain ' +
  'reduce appears como cos tele reasons emb danger distribution colors powerful depth posts micro arrest ' +
  'interested rent album axis minimum obvious basis science budget flags variety truth gone battle station ' +
  'finished shop eight mail nav instanceof overall construction medic duration seven calling ans brain ' +
  'followed slight abstract volume cursor implementation larger upload tit completed mur columns supply units ' +
  'payment squ factor strength boy balance sources hidden eat trigger tro claims gift produce attributes warm ' +
  'tal flash negative sett burn society clients providing rout foc excell cat determine employees django ' +
  'partner feeling civil wouldn loading cookies strategy ship signal alpha replace refer ahead pun appropriate ' +
  'agent transfer invalid gay journal spend quarter frag een commercial fixed applications san perhaps sig ' +
  'corpor eth tend reviews wild degree disabled notes logging xml fan trip soft applicable upper chem highest ' +
  'connected citiz forces www thus posted magn disease remains cin stress died starts runs guide responsible ' +
  'containing emp suff definitely consult signed sequence requirements ult analy dress families folder biggest ' +
  'polic permissions showed topic partners assess administration opening scan continued happens waiting ' +
  'economy fant numpy street male previously mist kept traditional helps central satisf heat onto factory ' +
  'guest mal reached mouse challenge terror extract separate mir capacity understanding easier enh fat protest ' +
  'psych relative fear schools serve majority lang processing remote reflect pros whom monitor patient gain ' +
  'dies grat reality append dynamic batter dos miles benefit integr ton baby attacks hospital female chain ' +
  'farm knows generally meant nicht contents speech thr warn heavy investigation church despite whatever meta ' +
  'regarding resolve updates toward listen goals rare trail prim rad spread clock vir efforts branch motor amb ' +
  'datetime fmt caused bath radio restrict extension hat offered vill helped spirit therefore peace minor ' +
  'opened ban produced constit mission ther football bag enabled rac managed mac pin occas haven glass plugin ' +
  'vous older gam extremely het timer critical execute showing thousands resp becomes hus lose vel defense bes ' +
  'dry scroll wire strings matches electric excellent tasks rich widget sich trial placed dan weather ' +
  'destination provider planning seeing cancel visual agreement corner protection transition candidate smaller ' +
  'criminal violence belong enemy inner pictures labels angle aim stick clin styles born scr expand raised ' +
  'episode mas fav construct external applied prefix cold finding router crow sand rid entre observ vac ' +
  'exchange district department documents century susp shut temperature metal submit attract seemed labor ' +
  'asset cars square thanks tick experiment prison clearly justify presence factors employee selector reli ' +
  'leaving beat minute cancer span earth sea attend species aus advantage truly compare spect visible mess ' +
  'cloud furn traffic fol declar slot officer opinion advice automatically initialize generation bits unf ' +
  'delta limitations ended chart independent tags learned hotel steel mixed puts innov deck continues appoint ' +
  'bin established neighbor gather identity fab forced eventually tra validate officers accounts advis timeout ' +
  'bal guid pitch incred assume nom remaining pieces parties registered jour creation instant delivery ' +
  'schedule thank hook documentation articles west cities appeared wid decre mentioned critic flo hyp avec ' +
  'completion cond stars relevant covered elim secure stored migr annual crime kitchen tail unknown assign ' +
  'stone daughter curr lin south brief conference eine ris gender willing sports yes purs driving wear reply ' +
  'ice poly animal native mais prepar interval bug faith rom god positions weapons coff purposes impress ' +
  'animals murder solutions bright situ sie crash reverse prompt afford skill wind warning draft sam holding ' +
  'supposed husband climate nut apparent holds senior rise kernel offering listed mostly blocks concent ' +
  'occurred changing tile prepared mort ignore calc canvas dut aux artist ring flat checked lab lots slightly ' +
  'award ptr manage watching optional blank theory python lif trav conven zone verify packet cer occup ' +
  'exercise asking orders emot influence chief tom policies coverage charges circum filled north termin ber ' +
  'discussion served sweet sust segment loved lie prime phase hide til quant rub installed dump properly ' +
  'decide keeping citizens joint weapon examples tight photograph maintain zip pic seed experienced odd kick ' +
  'procedure ends dataset explain noted operating este proceed animation sounds kid vent religious rand ' +
  'refresh tips homes fuel usage texture conversation shooting presented becoming incident revealed boot ' +
  'spring locations samples stats helping ped mine sector gro doubt chair stopped apps mental defend ideal ele ' +
  'funds adapt deploy validation concerns cup pure stores communication identify swe prepare rob sport ' +
  'alternative mysql welcome caught survey decor turns radius mel intr linked faster combination intended uma ' +
  'ran sorted priority entered ich brother utf navigation dst audience dur cluster comfortable snap standards ' +
  'performed phil forget doctor putting allowing entries prefer skip competition als bind seat rating ' +
  'restaurant league focused absolute tells communities honest apart shock possibly craft talent confirmed ' +
  'cycle hearing plants mouth bought addr versions moves coffee schema fighting modified bond identified ' +
  'coding residents sheet hers determined wed mes advanced pal combined joined broken marriage represents ' +
  'absolutely smooth merge seeking kom injury issued patch leaves adopt executive substant technical twice ' +
  'univers drag sed bot auch resolution bott helpful massive measures worry worse lay magic sudden defe ' +
  'binding flight proposed stated east winning copies dictionary iron debate trim pad follows windows plane ' +
  'reduced calculate rapid efficient medium fell feedback categories fee deleted proof sides feels achieve ' +
  'clim teacher plays appearance sac recommended organizations discovered conserv domin wonderful inputs fif ' +
  'vision marker typically causes detect administr fashion disable suc metadata committed rough highlight ' +
  'encoding rain candidates sav collabor persons dollars authority ven tokens developing instructions promise ' +
  'requested intelligence bigger rat famous explained nuclear crisis answers sequ standing plenty authorities ' +
  'familiar ment freedom routes commands mesh witness cle union thoughts reward nie execution beach abort hel ' +
  'quiet ratio advent processes adds entirely animated profit manual motion era expensive dangerous currency ' +
  'percentage classic accident variant myst harm charged walking leadership timestamp listener experiences ' +
  'creates choices ordered evening pil tun explicit arrived fly econom lists architect vehicles king extr ' +
  'chemical orient breath sob affected coal hundreds politics consumer repeated protocol leads novel depart ' +
  'buff introduced tod implemented notification forg permit targets tip supports google sharing goods manner ' +
  'controls mand extended embed planet believed handling alter'

export const KNOWN_CHARACTERS =
  '3k 42-44 49 4g-62 64-7d 7f-7h 7j-7l 7n 7r-7t 7v 7x-7z 81 83 87 89 8b 8f-8h 8l 8n 8q 8s 8u 8x-90 92 94 97 99 ' +
  '9c-9f 9k-9n 9p-9v 9x a0-a1 a3 a5 a7 a9 ab ad af-an b3-b4 b6 bd bk-bl bz-c0 cu ew-ez gh gj-gk gn gp gr hh jf-' +
  'jg jq ka kc-kd lc-lf li lk-lm lo mb mf ml p0 p2 p4 p8 pc-pt pv-q1 q4-q7 q9-r2 sh-si sk-so su sw-un up-v0 v2-' +
  'v3 wg wi-wj wn wp-wr wv-wx wz x3 x5 x7 x9-xf xh-xj xm-xn xp xr yg-yh yp yr yw-yx z3 zb 10l 10x-111 114-11c 1' +
  '1g-11m 11o-11s 11u-11y 123 125-126 129-13b 13d 14g 14k-14p 14s 14u-14v 15c-162 16a-16c 170 17f 17j 17l-18a 1' +
  '8g-190 19c-19o 19s 1a1-1a9 1ab-1ai 1ak-1al 1an 1ap 1ar 1at-1au 1aw-1ay 1bd-1bf 1bh 1bj 1bn 1bp 1bu-1bw 1by 1' +
  'c0-1c1 1c3 1c6-1c8 1cb-1ce 1cg 1ci 1ck-1cl 1dc-1dl 1dp-1dq 1s1-1s3 1s5-1sa 1sf-1sh 1sj-1t4 1t6-1tf 1th-1tl 1' +
  'to-1tv 1tx 1tz-1u1 1u3-1u5 1ug 1uj-1um 1us-1v4 1vl-1vn 1vp-1vr 1vt 1vz 1w3 1w5-1wo 1wq-1ww 1wy 1x2-1x5 1x8 1' +
  'xa-1xf 1xj-1xk 1xn-1xq 1y4-1y5 1y7 1ye-1yp 1yv 1z6 1z9-1zd 1zj-1zk 1zn 1zp-1zs 1zu 1zw-1zx 1zz-201 203-208 2' +
  '0a-20g 20i 20l-20m 20o-20p 20s 20u-20y 213-214 217-219 21n-21o 21z-220 228-229 22q-22r 22t-22x 233 237 239-2' +
  '3c 23e-23h 23j-23s 23u-240 242-243 245-249 24e-24j 24l 24n-24p 24r-24t 25i-25r 27s 29x-29z 2a1 2a6 2aa 2ad 2' +
  'ah-2ai 2ak 2am-2an 2ar-2as 2aw-2ay 2b2-2b9 2bb-2bd 2bi-2bm 2bq-2bs 2bu-2bv 2bx 2de 2dh-2dl 2dq-2dr 2dx-2dz 2' +
  'e2 2e4 2e7 2e9 2eb-2eg 2ei-2eo 2eq-2er 2et-2ex 2f2-2f7 2fa-2fc 2fe-2fh 2fq 2gy-2gz 2h1-2h5 2ha 2hc 2he 2hh-2' +
  'hk 2hm 2ho 2hr-2i0 2i2-2i8 2ia-2ib 2id-2ih 2im-2ir 2iu-2iw 2iy-2j1 2j9-2ja 2jq-2js 2ki 2kl-2kp 2ku 2kw 2ky-2' +
  'kz 2l1-2l6 2l8 2la-2ld 2lf-2lk 2lm-2m1 2m6-2mb 2me-2mg 2mi-2mj 2ml 2mv 2nu-2ny 2o2 2o5 2oh 2ok 2oq 2os 2ov-2' +
  'ow 2oy 2p3 2p5 2p7 2p9-2pd 2pf-2pg 2pi-2pn 2pp 2ps-2px 2q2 2q7-2qc 2qe 2qg-2qi 2qk-2ql 2rl-2rm 2ro 2rq-2rv 2' +
  'rx-2s1 2s3-2sl 2sn-2t5 2tc-2tg 2ti-2tp 2tt-2tu 2vt 2wi 2yz 31i 35s-35u 35w-35z 362 367-36a 36c-36n 36p 36t 3' +
  '6z-377 37a-37i 3bk-3cg 4n4-4n6 4n8-4n9 4nb 4nd-4ne 4ni-4nw 4nz-4o2 4om-4ou 4ow-4p9 4pb-4pc 4pe 4pg 4pi-4pj 4' +
  'ps-4q1 61s-621 623-627 629 62b 62d-62h 62j 62l-62r 62t-62v 62x-631 633-639 63b-63j 63l-63t 63v 63x 63z-641 6' +
  '43 647 649 6bm-6bn 6bp 6bt-6c1 6c3-6c5 6c8-6ca 6cc-6ci 6ck 6cm 6co 6cq-6cw 6cy-6cz 6d5-6d8 6e8 6eb 6f6 6ga 6' +
  'gc 6gp 6ir 6ja 6jm 6jq 6lc-6ld 6lg 6lw 6m4 6mo-6mr 6ps 6py 6qa 6qh-6qi 6qm 6qw 6rs 6sk-6sl 6sr 76o-76s 7b4-7' +
  'b7 7bw 7c3 7dc-7dd 7dj 7dp 7eo 7es 7ew 7ez 7f5-7f7 7fk-7fl 7fu-7fw 7g2-7g3 7g6-7g7 7ga 7gc-7gd 7gm-7gn 7gr 7' +
  'gu-7gv 7id-7ie 7im 7jo 7ju 7k0 7k2 7kx 7l1-7l2 7l6-7l7 7ph 7pv-7pw 7qg 7s4 7tt 7wg 8k0 9hc-9he 9hh 9hj-9hu 9' +
  'hw-9hy 9i4 9j5-9j6 9j8 9ja-9jc 9je-9k1 9k3-9kb 9kd-9kj 9kl-9kp 9kr-9l9 9lb 9le-9lf 9lt-9lw 9ly-9mp 9mr-9ms 9' +
  'mu-9mz 9n1-9nx 9nz 9o3-9o4 9o6 9ob-9od 9qf 9qj 9qm 9r4-9r5 1bjb 1bjr 1dkx 1e6m-1e6n 1edd 1edh-1edi 1edk-1eef' +
  ' 1eej 1eel-1eeo 1eeq-1ees 1eez-1ef4 1ef9 1efh 1efr 1efw 1efy 1eg1 1eg3-1eg5 1egf-1egg 1egi 1eh5 1eho 1ehq-1e' +
  'hr 1ejn 1ejp 1ekc-1ekd'

export const KNOWN_PICTURES =
  '2q3w 2q49 2q65 2qa5 2qaa 2qbk-2qdb 2qe0 2qek 2qgk 2qkg-2r0f 2r0l 2r0s 2r5s-2rb3 2rb8 2rbc 2rcg 2rdk 2rec 2rg' +
  'r 2rgt 2ri9 2rj9 2rjn 2rk0 2rn4 2rnp 2rnv 2row 2rr0 2rr3-2run 2ruq 2rvw 2rww 2s3h 2s48'

export const KNOWN_PAIRS =
  '0402gwww00w24010g4000M00gw400020082o0E02g000Mg58g0400002y1810a0k000100008000gw40w0M1ww0181q03004g0wgg8k024w8' +
  '4o8g040040g01080000484001g000E5g30g4w0w4E040w2n8600921e60h0g002401sy0k40000wxwh0140200002540w00o06w4C010M0g4' +
  'h602w201a2A0420c2wgi110000101g9410a0g0A0h00008M00080MI500020gC00w282a05w0002108c00100g401p40030w8018A06w3gw2' +
  'ww4106hg7w040A0wM021a00x0y0D0403w040wG00y00a0a00010w0004014100g1AE4c080xg001w000000wa02w00800020000g2gw8ga09' +
  '0100wwgw00000408y0k024000iw60hwym000440021000gOxgg22Fw220i06809280090g1c82442011x44V04Eh8304o00w1i8ch0g000U4' +
  '0801x00000y0c180g000i2w0i490040050wi201100020M09g000w0g740200k00000i0002240yg05E01602414i0c00001G06000M06014' +
  '0w98E806210B3g00100g280g00200080020w16a0h810a88g0005w00kg800c0051000g1224000008ggwg0w080j08w004e00820g000000' +
  '080200E0Ew880w0z2000A1w0A001C0000200o240000w4200w00Ni000ww103Ei80880Q01o0E010g0F001004A34wg002w40wig104400A0' +
  '0E08A5g020822431028001OI180M1882442xww00i8Ew88wA8409oi10800w28M3o0gw00i1a0ha09g090a0a02100000a0wsw8800a01100' +
  '000w0x8k00100w0040I4000g3qw1F82040E408w424w080w188020xM8w0w0l0400A606w00gwo08ggg000840400040006chg4w810i0201' +
  '000p0w0w04M00088008004w0w00080g04215w40wg880G00h1O0w050080N8B381w0180e200o000012dyw0000aM4F410510000g1kI6000' +
  'w072g1800008901w11100a080040Cq00w048E4016g04w1g0ym00004w02G1400c481580g0gy24x2942w000062G0090g00w0000E80wwy2' +
  'g4yw1202O00g210a1024032000000N0y0000g0109gaw3M00w0I00A8w40080w4000008o00000214430240oO0000090W04010080010221' +
  '0002x080088E06wg00w09g00200500g0002000400Mw80g2i000040Eg01w0h80h012g4x201w24w000E8o0o402ihwa0gO0804200zg0l00' +
  '8Ma08000002k00o02gg6w42E10g5a508E32E0gE4w0g0w4AA4000R24081i1g000g0204001Iwgg4000d021h220g0008w6hgg200E065020' +
  'x44g000g03680M42045g12002080whp0004ig00004w82018082000w6014690124y0ow00w0028awxa020224080020k0008426010kg000' +
  '6w00x110o3400020020EiMx0g0o0i001g000000000040002080a000100h00ggw01w001x1E40240000ow0M880ww005004014x000ia03M' +
  'w2gawog0ww5w0i41ah2801400wkx000o001720w0508010a1090g02g0gG0410020880200c080g3k884g0U00w01Aw0gk850408o0i080E0' +
  '4a46Gg0w00gw020gg2Aw8081U020014880c0g1cB82408a1102lw02k40E00041080pg020g2kw200y201g02884440g020g0w24008h2001' +
  'U088x0A08M1gg18004w2k05w0g2w40wi0020x000001m02010g0808000F018281008020w0231wk0g0040f8o0w0gw0aJ11300w0gw08000' +
  'm0000041ga00080wg014o2w0ww00N90124654w00g288100w10y4w2M00800g0003180g0w000004000011g00015010w100yg02E40044d1' +
  '1k1g400CMggw000000292400g180y81h0000w0o00gpk0E0k000104g0g08024gk1004152050000i0202w0w1a0E0s41004i1E000Vw8018' +
  '0w40x040g06x340418040010Mi50000g0i050202h00g064000w0810o0gc2100w0200080wk8200wg010410g0w2w0g000S0000a0og9820' +
  'jk004102cx200001g4a080w0g900g02ggxA1006261E00000hgoI000g0023g0800012290yh80a028wM30w0Ao800wg00080h01yk40okw1' +
  'c00w0C00x000M8g08020g03502g20000c0520w080M0100421800200w00804w0610601204kag003p0k040g5201ew180B01h2008w40481' +
  '3w804M0E6801g0400w21060404010000kO0008080x0U0000j008w14w1000g084800wx010200wwF20001M04041A0g00aw0o0k400h01xg' +
  '00h4080093y10800E10g0gw0M40004xw10000002xg0wgg2M211g0hg00168x2408N02g84000008009E0wc00w020410gA1w20i60G48004' +
  '200008g040001g0w3og4E00400g0049hg509044g0424g4004o03Qw0008A0080o02M240O1Y06a044c0100g090g0hgj81wa0a06g4w0w00' +
  '841700hx0200344c2oAyg0M00000a820isw1gc6g4g0h3001c100085g8w30w2g240wA006w02004003008ow0x2g6040AM2400i000Ewaw0' +
  '05i00180k000032000w004720E003ghwk80000009E00g02g66004020wg400g4wg25Yo40w0wh0y920g924000206w0000w5151x2g108g0' +
  'gw8030g0w0w00000c50w0h8Mgl82g020h3oc0w04g58004Uxaw0s00g8M0w0a0g80xn8400003c421000w200hg000h01058wg000c04A340' +
  '4s02200002w0080302000023g10gg040500040g600M2c0901g1010w20060l0846c1a0282xA50000g0i08038020400402001402o00ga0' +
  '0c000100g4005g6010wx2y020wg45523800w101180g102040g0yw20koa00001c0000010wga0440002wA3x0c4000E8800w0m0A0000040' +
  '00g00w2409cM30w0k8gN02005w080190w8091000240004w2w090Q000400021008g00821A04h0w001M0b0y0480g0s80k4y22xw0kw060k' +
  '0w84g0e024a00g0002E00E8A024218g5c02o2w4g08048y883E008g10j40000010k3p000208060400wi000808wy142000804cy100M088' +
  '0g80a00gx03000M0B145404w08g00w0882g00oggyAAg00y00014828h820ugF3k81000A04wg00081060050g02h08Ag44y040g0BM600q8' +
  '1080gwwc07820gw3g04502g000012gk02g400h0w21A0Eg40w0g000g06w002g0w6og80w65000001103Ega2a05404g4E000gw1400010wB' +
  'g00k00wAg2g10000040gg00020g0009yi001800000y0080y002800z8g0ww6w0m08wA00M00gga8c5B2003wg10E02w6000g00x0g804w20' +
  '01ji000B8waA0E000001024031800004w0w0000M00080g8304g002g0g00101y0w0w0088igw0010E0Q06ah4w01w01g00xsc00002g0g10' +
  '000w8g6ox000001823g040aw00000200000000a800MhA8102wI26000w00xg8og80008y0w080080w212854w1800200gU1000o81w801w1' +
  'k00040_0400101s64820000001E40w2w008w01102800000048ws20w82e0A2000040M26020210k2U14004w2000gz1h02g0014320cE0c1' +
  'w8092g10000006e000000c88048000000c0g0024400i1wk0288210i00A00107x20x0a0p2000E4A0w0E0E1111gggx060kxM040000U240' +
  '000q0441g001xO04w001w093MF4cw0w91800w0y0008w004ww0g00400400w3gw0gigi04001N1M402h080gg0w0cE000801010AA0008004' +
  '2hww10w2o062iww02k09o1e4g09g003k8084001wE0E8180g0xx8w0g0240g80g002w04g0AA0021qg3s0a0g0406y204w0gc010080g9M02' +
  'g0002w0b08000o060000wI000g0g020w0000004g1200M1080hg024wgw12104Mw41102gi400w0ca0200k43Mg4i0Aw002wa0000c042643' +
  'ig00g80E102bxhg00800ow240304iy40x040190w0iw201sg0x800y9A050200000M0i040080034g4m000w000w8401880a618000w0w0c0' +
  '00005gw0890UGg000020bE2g2gi2E10wE0000x0fE1000g01y00g04E110A0B184188h0ag0y0iw4020202240g00ha0000i0000gkybg000' +
  '08wwgg0500880w00g00w0802AgA081430082g3g00ga1g07w01018008Pw8w10000805024w411g0420081018gw100g2s83080g0000w004' +
  '0c00h00jo80l02x000w1Eg0800702003w001k50k10001gg0008000cgNg00112o03g2124wo04w1c0xw410w0a00kw0000040w044A0w00F' +
  'wi0gg0000O8w0a00820446g00w1000480802g01oM024A900w9w001c40020024c122000000yE00w2g01j03B200a2881o00Ow0002w0480' +
  '00000420440C800E0c01a200000400y0i0200A08200d00ckx009ag810a0208b0x004040000g0Q000200400484ww040404M0212000000' +
  '8140200140F60000a4aG0000y020gMw414020F120000N000000g0i4y2200Nk0844002282810000oh1a0102y0x041208w08h0025080gw' +
  '6015xg0g0a002w1h022zg40n11004320091901g0w020800600w01100w0c00E9w2o00g124841g002ok0Ew0k00818w1cF882190hg63408' +
  '00wg040w80h045k40mw2p140408160120wggc010g000y240y000E87jw0008k041080pc20000Q04180M00A80g0200k2go0x0w40402140' +
  '00w841082g020000028ig5006M080080g243s1312cx224g50000oi0080091x00y020k04003001000w08w280w08xci0g03010A4100000' +
  '4o84200y0o08000100wg08o01i0048w1gp0i80000Mw0E08g0w00dgx00182000y2002400k2hg00h4w00820w1h82000002300E041310w0' +
  'W18808ox0g0041wggg205002gcgw084h400A182g00031001161r050900c0gww0gg04gc04EE0001B25480w0w0g00000000180gw00g1d0' +
  '1000g840008M60l8a11018w00g0M14000Ag400w000w00ggc4a00040h802A40040004E0gkw041202020008801g84w8w2c4M01wg4giF04' +
  '00yg46009w4g1g20ha0108g0w0k800012i0w410384w2000a10Mwj80060100g10g00100g08g3006g0Mg03w01Eg0450100E90002W50000' +
  '02g8Eww018000iMh0E1g0yi036g0yA80g100800w002g00ay500009000004g10014g0401020404hA0ag4w002a4k0gg1o46h026w0M0n00' +
  '04l828280w2105g04008480800180401ww85201406w000j000Q4100040O600119010hg1g1020ggy05c00280800a0wA40000g0Q0ww200' +
  '040g0402000002g820g31c0001B1i002108w00w2g21b0w104008x00w0e00a02w804ywk02000lo20000k2i8418100M2108021y000M144' +
  '500w4w0gg2g00w2w0060g4o0002200k02g0002g903w008wE0400w30100121l802kw4pw0y04s081000hw0Eg00ig38aw000010g0120g08' +
  '0g080004ig000g4002000wg0g0000604B80005w0cw800a420121802h00c020010h201x008w10410xgc42kw20040E0cwm0000wn00212g' +
  '0P000g00w0000708A1w001c8agg0100100g01a1000b01wN0200c00gA0g0g000i000000E01E00ga0igE2gux000w00w90c00122410000g' +
  '11004042l11g0x00g202hg80g004gg80E002108G88018401W10a0Ygw0h00y0M000k0B040y0014E4x0M0A0200w00j08200o1xw8g81080' +
  '1w1kg8000M061w001054g00404w40Ek0w8e000w2g1000100298g2g30848oc0Iwg800002a00wx20001w0cwg4A000080g00kc0i440M0k0' +
  '0A0waw1igx00ag8g6w200102Eq0x089010080411000w1125w2g00A010C801g281qw2h22000Mgg2w012w010E188030g02100wS8000w00' +
  '1M00g00w54E08020ygB00g40002MN04y00g20i000gkwg04004w0004000010000005g02g06Gg0w041ga01840410gww8g2y00011c10o5c' +
  '00801801k0200408ww03O000004g4g0ow2g8610iAM0y00880gm020001g100E0081000o0E000aw4g004M0820404g6wy00g0800001402d' +
  '0080g1a0x010204J0wc120008g3000w020G0002g0400w4802Fgg180g1hi60ag0g4g22k020309i0000020200x00020Aw0544a0w0w0001' +
  'kg3yg0440E2B22048i000300w800g000g248020130g0w18400104w0kw0Q88w20g040E0g01220200w38g1N0Oi0Dw05Ew001010o030000' +
  '85w01E05000080U0c00448000g00042g20180100w1e4yh0Egw2o0c00yg30w00x184M0110E08w04c1x20006Mw008012c000g2k02g61c0' +
  '000000w022118w10w0i250w6Ew2i4MwB080c1420wB10000iwyw0010280E002004010wg80kggg102801wg4i1088020aw04M1e00g02M0N' +
  '804w0001g0388I01w40ggM00g0880g0401848018i8010w000w845004000w1Ew602q00w24gw0o05E0000401wi180ck001w1hg2ww04A00' +
  'c2g180k0A000w0w0c0802Ms81j000w8i0000803k204O1202001A08008g00011002a5180006E4gEw008400000w00003q040g0y0420000' +
  '400hg8c00g0c0008j400a0x80g0000w00wwg0Q804084w14wc14x2018gw0x2000o03w014A8l001g4w101o08102gk0A1g4040w0810a0ow' +
  'w00g0o0300w000M4000302A100M2g804kg0020w5Yg0008002x11w18E5d0A006w00xgE001ww2gx082000003401ggy0008000000100g30' +
  '00w20h5y24A06408400hwiw0g0019g0w38g080042gg080180800gww2E028g0810x03k00000I0ow0i02g84aMw8M0A1a8c182000003050' +
  '080080000b80040l04ga0021000w34040030A0o12w0200A2002G0w28wwi86444w0c1wgghy02g0800w08000000g1081gc41g0082020ws' +
  '040i40o00i801222100000c0322100b00Eywc0100810x102kk52040610070g00gk000104wg01g200w0080110410q0h9o01021010w1w0' +
  '8040800wF0w10a2g00004w08wQ0z06008yxg180w0800g100gE800w1d02a4w8M180240ww0Nw01ky40Q0B44884g0iw4w000w4w0088A020' +
  '2102180y4214M00008o0820000018h1044900i42g000I000a00246200000gg2w00g02806yw4208085ogc08800J20000A04100884008g' +
  '0600402042o00A04001208wx502808i00kE0020a000E0g02g08wg010c0g8260000002g24ogM0281b11g80040sO0o02gwy2101080020E' +
  '0yx800Q00000101Uw0040002008M1g040802M62g0w165gy0E0010182s180g00wMg8w00001400010A1000202o404k4000E1000g10221c' +
  '00102008102w8005g0V0y0k0ag864g0wAbw0A000404i00gh02k1Ag4w2g0kwE0jA0000g10wg000w00g008g8g80884w00011400022A2B0' +
  '00k0w0000300MM00Fg00y00g08222g80331w000020100ggw00004Q030g4000w0000b0i402002gg0002000001Ih000a102010wwg018g4' +
  'M040010101880xc03xaih20A0400008018wMk00809a00040080101a104w1ckH0g1gE0k00g00220103g00g020ai00002g040w2g04w09E' +
  '20050106w101208g000006E80y00E0a01Qg00wcggw0g3w200Q20k0000Q0g10040p00k003000040041w108gk08000006a00i00gd92x28' +
  '60820gp6i1408A000k042100210100018900Ah104808224c84w1w0w00w10028i4000404g300540g40E00f04410100xw0E0601w0c2806' +
  '4000h4w000gg0x004600w00004220g0401gE0gkgq00100E1240040o21gw00g4000U058xh1w4A0400q2h0w2gywgg6y64w02400M3ag321' +
  'g1w2g800002hhx005x9000G180000248kF000840k8g0wA28002o3sa1gi2803001001040104009gg054c0g0w0E00000g0c002o8ww00g0' +
  'g02020442004Ow2A0g418ggk0000y0300w6w06008000g12A0400800003M0y0040002000g8g0g4g440kg00Aasgx04900U0100g022k12h' +
  '0kz44o040000Mg10101i0y482024Qg100x4000o0w08000083g1Jy0M02204001008g0800802042g04wg02050w00x10G3104w300w400g0' +
  '4000g9g2000024100w8w1000Q02z00dA0l00010010a00w4n02808g081000000b0001i2k060k2Eg0w44A0wg10104Awg00h8028y8M084o' +
  '0w016808012k1c02008400zg08o00j84w0o40010402Aw03100g2M0000288gx842x4054040g2040w011a8g0001o28g0x110104E060040' +
  '00w100080s12g40B00w00000000a81g4g000401003g0gq0Aw0c00G2F011300400F0404000540208iz008gg12w0g000a0000112a2k001' +
  'oo24og000001Ii1q00501MFwg00E20200g2gyk02wg071x8sggg10110y30100ib0014048gw411O00814wg0wk08w0040m0w044g0208k1x' +
  '0E6E01722042000w1w082w0010g00g0000012x005w0010024400w3qa6g400A6w010404M00h0018020ax0E20040ww60Ag0804E0040w08' +
  '0602080000U02010w8440021g0ggwi2g2h00Ewc09828ig00000g09800y1w0w00040010kg0804000g020g1ao4jg0015000000w0g0jhw2' +
  'g400008080300xoA000wgi20g0B0wUg40045weo0802i08400102g440MA4100802180w0i0104g60Ec9200g00080g10w0042203o000ww6' +
  '0300280M0400040'

export const LONG_RUNS = '#%*+-./;=_~—'
