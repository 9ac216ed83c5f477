// An Unreal component that moves remote entities. Not run here: this project's machines have no Unreal.
//
// Steps to try it, with Unreal Engine 5.1 or newer, in a C++ project named Game:
//   1. cargo build --release -p evenstride_ffi --target x86_64-pc-windows-msvc
//   2. Copy evenstride.h and evenstride_ffi.lib (the static library) to Source/ThirdParty/Evenstride, and
//      these two files to Source/Game.
//   3. In Game.Build.cs:
//        string Evenstride = Path.Combine(ModuleDirectory, "../ThirdParty/Evenstride");
//        PublicIncludePaths.Add(Evenstride);
//        PublicAdditionalLibraries.Add(Path.Combine(Evenstride, "evenstride_ffi.lib"));
//        PublicSystemLibraries.AddRange(new string[] { "ws2_32.lib", "userenv.lib", "ntdll.lib" });
//   4. Put the component on an actor, call Receive from the network code, and bind OnMoved to move the
//      actors of the entities.
#pragma once

#include "CoreMinimal.h"
#include "Components/ActorComponent.h"

struct EvPlainWorld;
struct EvPlainDrawn;

#include "EvenstrideBodiesComponent.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FEvenstrideMoved, int64, Entity, const FTransform &, Transform);

UCLASS(ClassGroup = (Evenstride), meta = (BlueprintSpawnableComponent))
class GAME_API UEvenstrideBodiesComponent : public UActorComponent {
    GENERATED_BODY()

public:
    UEvenstrideBodiesComponent();

    // Seconds for which a silent entity keeps moving.
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Evenstride")
    double MaxCoastSeconds = 3.0;

    // Called for each entity that may look different, once per frame.
    UPROPERTY(BlueprintAssignable, Category = "Evenstride")
    FEvenstrideMoved OnMoved;

    // Takes an update of the server, on the game thread. Number grows with each update of the entity.
    UFUNCTION(BlueprintCallable, Category = "Evenstride")
    void Receive(int64 Entity, const FTransform &Transform, int64 Number);

    // Removes an entity that left.
    UFUNCTION(BlueprintCallable, Category = "Evenstride")
    void Leave(int64 Entity);

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;
    virtual void TickComponent(float DeltaSeconds, ELevelTick Type, FActorComponentTickFunction *Function) override;

private:
    double Now() const;
    void Report(int32 Status) const;

    EvPlainWorld *World = nullptr;
    TArray<uint8> Buffer;
};
