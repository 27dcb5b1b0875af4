cask "slipway" do
  version "@VERSION@"
  sha256 "@MAC_SHA256@"

  url "@MAC_CASK_URL@",
      verified: "github.com/slipway-app/slipway/"
  name "Slipway"
  desc "Client for renting GPU machines and working on them over SSH"
  homepage "https://slipway.app/"

  livecheck do
    url :url
    strategy :github_latest
  end

  @AUTO_UPDATES@
  depends_on macos: :ventura

  app "Slipway.app"

  zap trash: [
    "~/Library/Application Support/Slipway",
    "~/Library/Caches/app.slipway",
    "~/Library/Caches/app.slipway.ShipIt",
    "~/Library/Caches/slipway-updater",
    "~/Library/HTTPStorages/app.slipway",
    "~/Library/Logs/Slipway",
    "~/Library/Preferences/app.slipway.plist",
    "~/Library/Saved Application State/app.slipway.savedState",
  ]
end
