import Models

extension User {
    init(_ shape: WordsAPIShapes.User) {
        self.init(id: shape.id, name: shape.name, email: shape.email, chatID: shape.chatkit_id)
    }
}

extension Room {
    init(_ shape: WordsAPIShapes.Room) {
        self.init(
            id: shape.id, name: shape.name, createdByID: shape.created_by_id, isPrivate: shape.private ?? true,
            createdAt: shape.created_at.flatMap(Timestamp.init(iso8601:)),
            updatedAt: shape.updated_at.flatMap(Timestamp.init(iso8601:)))
    }
}

extension Contact {
    init(_ shape: WordsAPIShapes.Contact) {
        self.init(
            user: User(id: shape.id, name: shape.name, email: shape.email, chatID: shape.chatkit_id),
            room: Room(shape.room))
    }
}
