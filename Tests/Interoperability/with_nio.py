"""matrix-nio against a server of Words'."""

import asyncio
import tempfile
import uuid

from nio import AsyncClient, AsyncClientConfig, PushRuleKind, RoomVisibility

import words
from matrix import PASSWORD, Session
from report import Peer
from words import expect


def run(program, url):
    peer = Peer("matrix-nio", "A library, called as bots call it, without encryption; another account answers it.")
    asyncio.run(scenario(peer, program, url))
    return peer


async def scenario(peer, program, url):
    bob = Session.register(url)
    nio = AsyncClient(url, bob.user, config=AsyncClientConfig(encryption_enabled=False))
    try:
        await with_another(peer, nio, Session.register(url), uuid.uuid4().hex[:8])
        await unserved(peer, nio)
        with peer.tries("log out"):
            await done(nio.logout())
    finally:
        await nio.close()
    await with_words(peer, program, url)


async def done(call):
    """The answer, which must not be an error."""
    answer = await call
    expect(not type(answer).__name__.endswith(("Error", "ErrorResponse")), answer)
    return answer


async def heard(nio, room, text):
    """Syncs until a message with that text has come; gives its event."""
    for _ in range(20):
        joined = (await done(nio.sync(timeout=3000))).rooms.join
        for event in joined[room].timeline.events if room in joined else []:
            if getattr(event, "body", None) == text:
                return event
    raise words.Unexpected(f"the message {text!r} never came")


async def with_another(peer, nio, ann, name):
    def say(room, text):
        return done(nio.room_send(room, "m.room.message", {"msgtype": "m.text", "body": text}))

    with peer.tries("ways to log in, log in, who one is"):
        expect((await done(nio.login_info())).flows == ["m.login.password"], "no password login")
        await done(nio.login(PASSWORD, device_name="nio"))
        expect((await done(nio.whoami())).user_id == nio.user_id, "somebody else")
    with peer.tries("first sync, of no rooms"):
        await done(nio.sync(timeout=0, full_state=True))
        expect(not nio.rooms, nio.rooms)
    with peer.tries("join by alias, list rooms and members"):
        lobby = ann.make_room(name)
        expect((await done(nio.join(f"#{name}:localhost"))).room_id == lobby, "another room")
        expect((await done(nio.joined_rooms())).rooms == [lobby], "other rooms")
        expect(len((await done(nio.joined_members(lobby))).members) == 2, "other members")
    with peer.tries("receive, receipt, typing, send"):
        ann.say(lobby, "hello nio")
        event = await heard(nio, lobby, "hello nio")
        expect(nio.rooms[lobby].display_name == name, nio.rooms[lobby].display_name)
        await done(nio.room_typing(lobby))
        await done(nio.room_read_markers(lobby, event.event_id, event.event_id))
        sent = await say(lobby, "hello Ann")
        expect(ann.get(f"/rooms/{lobby}/event/{sent.event_id}")["content"]["body"] == "hello Ann", "not stored")
    with peer.tries("history, one event, its context, redaction"):
        end = (await done(nio.sync(timeout=0, full_state=True))).rooms.join[lobby].timeline.prev_batch
        await done(nio.room_messages(lobby, start=end, limit=5))
        expect((await done(nio.room_get_event(lobby, event.event_id))).event.body == "hello nio", "another event")
        await done(nio.room_context(lobby, event.event_id))
        await done(nio.room_redact(lobby, sent.event_id, "a slip"))
        expect(ann.get(f"/rooms/{lobby}/event/{sent.event_id}")["content"] == {}, "not redacted")
    with peer.tries("make a room, invite, kick, ban, unban; state; aliases"):
        made = await done(nio.room_create(RoomVisibility.private, name="Nook", topic="Tea", invite=[ann.user]))
        ann.post(f"/join/{made.room_id}")
        for verb in (nio.room_kick, nio.room_ban, nio.room_unban, nio.room_invite):
            await done(verb(made.room_id, ann.user))
        await done(nio.room_put_state(made.room_id, "m.room.topic", {"topic": "Coffee"}))
        topic = await done(nio.room_get_state_event(made.room_id, "m.room.topic"))
        expect(topic.content == {"topic": "Coffee"}, topic)
        alias = f"#nook-{name}:localhost"
        await done(nio.room_put_alias(alias, made.room_id))
        expect((await done(nio.room_resolve_alias(alias))).room_id == made.room_id, "another room")
        await done(nio.room_delete_alias(alias))
        expect((await done(nio.room_get_visibility(made.room_id))).visibility == "private", "listed")
    with peer.tries("profile, presence, devices, filters"):
        await done(nio.set_displayname("Nio"))
        expect((await done(nio.get_displayname())).displayname == "Nio", "another name")
        await done(nio.set_presence("online", "busy"))
        expect((await done(nio.get_presence(nio.user_id))).status_msg == "busy", "another status")
        expect(any(device.display_name == "nio" for device in (await done(nio.devices())).devices), "no device")
        await done(nio.upload_filter(room={"timeline": {"limit": 5}}))
        auth = {"type": "m.login.password", "password": PASSWORD}
        await done(nio.delete_devices(["ELSEWHERE"], auth))
    with peer.tries("leave, forget"):
        await done(nio.room_leave(lobby))
        await done(nio.room_forget(lobby))
        expect((await done(nio.joined_rooms())).rooms == [made.room_id], "still there")


async def unserved(peer, nio):
    """What Words does not do is said as the specification wants it said."""
    calls = {
        "OpenID": nio.get_openid_token(nio.user_id),
        "downloads": nio.download("mxc://localhost/none"),
        "knocking": nio.room_knock("!none:localhost"),
        "own push rules": nio.set_pushrule("global", PushRuleKind.override, "x", actions=[]),
    }
    with peer.tries(f"M_UNRECOGNIZED for what is not served: {', '.join(calls)}"):
        for name, call in calls.items():
            answer = await call
            expect(getattr(answer, "status_code", None) == "M_UNRECOGNIZED", f"{name}: {answer}")


async def talk(nio, ann):
    """Somebody who uses Words has opened the direct chat with somebody who uses nio."""
    await done(nio.login(PASSWORD))
    await done(nio.sync(timeout=0))
    for room in list(nio.invited_rooms):
        await done(nio.join(room))
    (room,) = nio.invited_rooms or nio.rooms
    ann.do('send "Are you on another client?"', shows="Are you on another client?")
    await heard(nio, room, "Are you on another client?")
    await done(nio.room_send(room, "m.room.message", {"msgtype": "m.text", "body": "On nio, yes"}))
    ann.see("On nio, yes")


async def elsewhere(program, url):
    """The same direct chat on a homeserver that is not Words' own, and lets people register."""
    bob, name = Session.register(url), f"ann-{uuid.uuid4().hex[:8]}"
    nio = AsyncClient(url, bob.user)
    with tempfile.TemporaryDirectory() as home:
        ann = words.App(program, url, home)
        try:
            ann.do(f'signup name="Ann" email={name} password="{PASSWORD}"', shows="Contacts")
            ann.do(f"add {bob.user}", shows="contact")
            ann.do(f'open "{bob.user.split(":")[0][1:]}"', shows="user-")
            await talk(nio, ann)
            ann.quit()
        finally:
            ann.process.kill()
            await nio.close()


async def with_words(peer, program, url):
    """Somebody with an account of Words uses nio; somebody else uses Words. They chat."""
    user, email = words.sign_up(url, "Bob")
    nio = AsyncClient(url, user)
    with tempfile.TemporaryDirectory() as home:
        ann = words.App(program, url, home)
        try:
            with peer.tries("a direct chat with somebody who uses Words"):
                address = email.replace("bob-", "ann-")
                ann.do(f'signup name="Ann" email={address} password="{PASSWORD}"', shows="Contacts")
                ann.do(f"add {email}", shows="Bob")
                ann.do('open "Bob"', shows="Bob")
                await talk(nio, ann)
            with peer.tries("a channel of Words, found in the public list, joined and written in"):
                ann.do("channels", shows="Channels")
                ann.do('create "Garden"', shows="Garden")
                ann.do('open "Garden"', shows="Garden")
                found = Session.listed(url, "Garden")
                await done(nio.join(found))
                await done(nio.room_send(found, "m.room.message", {"msgtype": "m.text", "body": "Nice roses"}))
                ann.see("Bob  Nice roses")
                ann.do('send "Thank you"', shows="Thank you")
                await heard(nio, found, "Thank you")
            ann.quit()
        finally:
            ann.process.kill()
            await nio.close()
