// Characters and pairs of letters that tokenizers tend to have as one token. Generated from where three tokenizers (o200k, cl100k
// and Claude 2's) cut our texts and how they encode single characters; regenerate it, never edit it by hand.

/**
 * How often a cut falls before the last of three letters, from 0 (hardly ever) to 3 (nearly always): 27 × 27 × 27 entries for a to
 * z and then "no letter", three entries per character of the alphabet 0–9a–zA–Z-_.
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

/** Pairs of kana that are sometimes one token. */
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

/** Kanji that are one token even in a small vocabulary. */
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

/** Kanji that are one token in a medium vocabulary. */
export const KANJI_USUAL =
  '且临乐乘习买云互什仅仓令似依個候値假做储充光克兴典决况准减几切划剧割助匹半博占卡印双受古句各吉响团围' +
  '均坐块域境変太夹宁它実害対射尾层屏属峰川差己带庆弹归很德想戏截房才执扩批承把拟择括损掉控描換搜教數旗' +
  '昌映显普曲替术林栏树校根框档楼概標武母永池河波测深湖滑满滤為热照爬父牌状王現申略発白百盘着矩短石神离' +
  '积突窗答策精結線红练细终绘继续维缩罪群聚股育致花若范获菜被览設订让训许访识词课資负质足距跳輸轮轴较边' +
  '返迭追递遍那采针银闻防阵际随隔零青顺须颜飞马默齒龙'

/** Kanji that are one token only in a large vocabulary; all others are encoded as bytes. */
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

/** Syllables of Hangul that are one token even in a small vocabulary. */
export const HANGUL_COMMON =
  '가간값개거게결경고공과구그글기나내는능니다당대도동되된드든들디라래러력로록료류른를름리만메면명목문미' +
  '버번보복부분비사산상색생서성세션소수스습시식신아야어에여열오와요용우운원위으은을음의이인일임입자작장' +
  '재적전정제져조주지진째체출치크태터턴트튼하한할함해호화환회'

/** Syllables of Hangul that are one token only in a large vocabulary. */
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

/** English words, and beginnings of words, that are one token in every vocabulary. */
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
