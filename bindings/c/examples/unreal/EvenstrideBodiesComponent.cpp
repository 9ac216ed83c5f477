// Not run here. The header has the steps to try it.
#include "EvenstrideBodiesComponent.h"

#include "Engine/World.h"

#include "evenstride.h"

UEvenstrideBodiesComponent::UEvenstrideBodiesComponent() {
    PrimaryComponentTick.bCanEverTick = true;
    // After the network code, and before the camera.
    PrimaryComponentTick.TickGroup = TG_PostPhysics;
}

double UEvenstrideBodiesComponent::Now() const { return GetWorld()->GetTimeSeconds(); }

void UEvenstrideBodiesComponent::Report(int32 Status) const {
    if (Status != EV_STATUS_OK) {
        char Why[256] = "";
        (void)ev_last_error(Why, sizeof Why, nullptr);
        UE_LOG(LogTemp, Warning, TEXT("Evenstride: %s"), UTF8_TO_TCHAR(Why));
    }
}

void UEvenstrideBodiesComponent::BeginPlay() {
    Super::BeginPlay();
    // Unreal has 100 units per metre.
    Report(ev_plain_new(nullptr, EV_AXES_Z_UP_X_FORWARD, 100.0, MaxCoastSeconds, Now(), &World));
}

void UEvenstrideBodiesComponent::EndPlay(const EEndPlayReason::Type Reason) {
    Report(ev_plain_free(World));
    World = nullptr;
    Super::EndPlay(Reason);
}

void UEvenstrideBodiesComponent::Receive(int64 Entity, const FTransform &Transform, int64 Number) {
    const FVector At = Transform.GetLocation();
    const FQuat Turn = Transform.GetRotation();
    EvPlainUpdate Update{};
    Update.entity = static_cast<uint64>(Entity);
    Update.pose = {At.X, At.Y, At.Z, static_cast<float>(Turn.X), static_cast<float>(Turn.Y),
                   static_cast<float>(Turn.Z), static_cast<float>(Turn.W)};
    Update.order = static_cast<uint64>(Number);
    Update.order_kind = EV_ORDER_SEQUENCE;
    Report(ev_plain_update(World, Now(), &Update, 1, nullptr));
}

void UEvenstrideBodiesComponent::Leave(int64 Entity) {
    Report(ev_plain_remove(World, static_cast<uint64>(Entity)));
}

void UEvenstrideBodiesComponent::TickComponent(float DeltaSeconds, ELevelTick Type,
                                               FActorComponentTickFunction *Function) {
    Super::TickComponent(DeltaSeconds, Type, Function);
    Report(ev_plain_advance(World, Now(), nullptr));
    size_t Count = 0;
    Report(ev_plain_len(World, &Count));
    Buffer.SetNumUninitialized(static_cast<int32>(Count * sizeof(EvPlainDrawn)));
    auto *Drawn = reinterpret_cast<EvPlainDrawn *>(Buffer.GetData());
    Report(ev_plain_changed_into(World, Now(), Drawn, Count, &Count));
    for (size_t Index = 0; Index < Count; Index += 1) {
        const EvPlainPose &Pose = Drawn[Index].pose;
        OnMoved.Broadcast(static_cast<int64>(Drawn[Index].entity),
                          FTransform(FQuat(Pose.qx, Pose.qy, Pose.qz, Pose.qw), FVector(Pose.x, Pose.y, Pose.z)));
    }
}
