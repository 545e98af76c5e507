"""Words and sentences written by hand: the baseline's list, what an assistant says, and what is compared."""

# The baseline: a sentence feels like the list that most of its words are in, and else like nothing.
SEEDS = {
    "joy": """love loved lovely great good nice happy glad thanks thank awesome amazing beautiful best fun funny lol
        lmao haha hope proud wonderful perfect excited cool enjoy enjoyed congratulations congrats welcome cute
        favorite glorious relief relieved delighted yay brilliant excellent fantastic appreciate agree sweet""",
    "sadness": """sad sorry miss missed lonely alone cry crying cried depressed depressing unfortunately heartbroken
        lost loss died dead death grief hurt hurts pain painful disappointed disappointing regret apologize
        miserable unhappy tears rip poor tragic hopeless""",
    "anger": """hate angry mad annoying annoyed furious rage stupid idiot fuck fucking damn hell shut pissed awful
        ridiculous asshole bitch bullshit screw terrible worst kill moron pathetic insane""",
    "disgust": """disgusting disgusted gross ew eww yuck nasty vile creepy cringe sick vomit puke revolting awkward
        embarrassing shame ashamed filthy weird""",
    "surprise": """wow omg surprised surprising shocked shocking unexpected whoa really wonder wondering curious
        confused suddenly unbelievable incredible realize realized what why how huh""",
    "fear": """afraid scared scary fear terrified terrifying horror horrifying nervous worried worry anxious anxiety
        panic dangerous creepy nightmare frightened frightening dread threat""",
}

# GoEmotions is made of comments on Reddit; these are what a companion says.
SAID = {
    "joy": """What wonderful news from the doctor!|Congratulations, you earned it!|I'm so happy for you!|Thank you, that means a lot to me.
I love that idea.|What a lovely picture!|Haha, that's a good one!|I'm glad that it worked.|Great job on finishing the report!
It's so good to see you again.|Happy birthday! 🎉|You're very welcome!|I'm proud of you.|Yay, we did it!|That made me laugh 😂
This is my favourite part of the day.|I can't wait to hear all about it!|That sounds like so much fun.|Glad I could help!
Good morning, I hope that you slept well!|Welcome back, I missed our talks!|Awesome, everything passed!|Sweet dreams 💕
I really enjoyed our evening.|What a relief, the backup is safe.|You are doing great, keep going!|Hooray, the tests are green!
Why did the scarecrow win a prize? Because he was outstanding in his field, haha!|I'm delighted to hear that.|Well done!""",
    "sadness": """I was so sorry to hear about it.|I'm sorry for your loss.|I'm so sorry that your father died.|That must hurt a lot.
I feel sad about it too.|Unfortunately the file could not be saved, I'm sorry.|I miss her as well.|That is heartbreaking.
I'm sorry, I made a mistake.|I apologize for the confusion.|Sadly, he passed away last night.|It is a great loss.
It's okay to cry.|I'm not happy with how it went.|She isn't happy there.|You are not okay, and that's okay.|I don't feel good about it.
It's not fun without you.|I wish I could have been there for you.|I'm sorry that you feel lonely.|That's disappointing, I know.
My condolences to you and your family.|I'm afraid that I have bad news: the cat is gone.|Losing a friend is painful.
I'm sorry you had such a hard day.|Forgive me, I forgot about it.|It breaks my heart to see you like this 😢""",
    "anger": """That is unfair, and it makes me angry.|Stop it, that was mean!|I hate it when they treat you like that.
How dare they do that to you!|That's infuriating.|I am furious about it.|Don't talk to me like that.|Enough, I'm annoyed.
Ugh, this stupid printer again!|They lied to you, and that is outrageous.|I won't stand for this nonsense.
That driver is an idiot.|I'm not happy about this at all.|This is not funny.|I don't like how they treat you.|It is so frustrating that it keeps failing!|Leave me alone!|No, that is wrong and you know it! 😡""",
    "disgust": """Ew, the milk is disgusting.|Yuck, mouldy bread.|That smells revolting.|Gross, there is a hair in the soup.
What he did is vile.|That picture makes me feel sick 🤢|Eww, get that thing away from me!|How repulsive.|That joke was in poor taste, and nasty.
I find that repugnant.|The kitchen is filthy.|It's so cringe that I can't look.|Ugh, rotten eggs.""",
    "surprise": """Wow, nobody expected this!|Oh, really?|Whoa, that's huge!|No way!|What a surprise!|I'm surprised that it worked.
Oh my God, is that true?|I had no idea!|Hm, I wonder why that is.|That is unbelievable.|You did what?!|Huh, that's strange 😮
Wait, what?|I never would have guessed.|How did you do that?|Oh, I just realized that today is Sunday.|Incredible, it grew overnight!
I'm a bit confused, which file do you mean?|That came out of nowhere!""",
    "fear": """I'm scared of it.|Be careful, that is dangerous!|I'm worried about you.|That sounds terrifying.|I'm afraid of what happens next.
This storm frightens me.|I'm nervous about tomorrow.|Oh no, the house is on fire, get out!|It gives me nightmares.
Watch out, there's a snake!|I dread the exam.|I was so frightened last night 😱|That noise in the dark is creepy and scary.
I panic when I think about it.|I don't feel safe here.|Please don't go there, it isn't safe.|I'm anxious about the results.""",
    "neutral": """Here is your list for the week.|The meeting is at three o'clock.|I added it to your calendar.|Open the settings and choose a voice.
Click on Send and wait for the answer.|There are three files in that folder.|The capital of Australia is Canberra.
You have two tasks left for today.|First, install the package.|Then run the tests again.|It is 18 degrees and cloudy in Lisbon.
I will remind you at nine.|The function returns a string.|Step 2: mix the flour with the water.|Let me look that up.
The bus leaves from the main station.|I've set a timer for ten minutes.|Which one would you like?|Would you like me to read it to you?
The answer is 42.|Your next appointment is on Tuesday.|I changed two lines in the file.|Press and hold the button for five seconds.
Water boils at 100 degrees.|The report has four sections.|I searched the web and found three results.|It was written in 1984.
Okay, I'll do that.|The song is now playing.|Let me know which of the two you want.|I moved the notes to the archive.
Preheat the oven to 200 degrees.|You can change this in the settings.|He works at the bank in the city.|The default port is 8899.""",
}

# Compared between the two languages, within 0.02.
COMPARED = [
    "", " ", "!", "?!", "...", "…", "-- ~~ ==", "42", "3.5 and 7,000", "\u200b", "\u200bhap\u200bpy\ufeff day", "\ud7ff",
    "I am happy.", "I am not happy.", "i'm not happy at all", "NOT HAPPY", "I'M SO ANGRY RIGHT NOW!!!", "I’m so sorry…",
    "sooooo goooood", "Nooooooo!!!", "What?!", "what??", "WOW", "wow :o", "haha :D", "xD xd XD", "that hurts :'(", "<3", "/s",
    "😂😂😂", "👍🏽 great", "❤️", "I 💔 this", "🤢 gross", "é à la carte, naïve café", "ЭТО ОЧЕНЬ ГРУСТНО", "我很高兴。", "真的吗？太好了！",
    "אני כל כך שמח היום", "أنا حزين جدا", "\u202bאבג\u202c abc", "[NAME] is great, thank you [NAME]!", "[RELIGION] and [NAME]'s dog", "[name",
    "don't don’t dont 'quoted' rock'n'roll '", "Here is the list.", "I'm so sorry, your grandmother died.", "That's wonderful news!",
    "Click on Save, then close the window.", "Ew, that is disgusting.", "I'm scared of the dark.", "You lied to me and I hate it!",
    "never in my whole life, ever", "a\tb\nc\u00a0d\u3000e", "\x00\x01\x7f", "https://example.com/a?b=c!d", "*sigh* \"fine\"; ok: #1",
    "İstanbul ẞ Σίσυφος", "🇩🇪 🏳️‍🌈 👨‍👩‍👧", "aaa bbb 1111 a1a1a1", "word " * 2000, "!" * 10000, "x" * 10000, "lol ha " * 70 + "sad",
]  # fmt: skip
